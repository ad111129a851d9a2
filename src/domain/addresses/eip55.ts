import { keccakF, state } from './keccak.ts';

/** What the letters of 40 hexadecimal digits say: no checksum, the right one, a wrong one; or they are no such digits. */
export type HexCase = 'one-case' | 'checksum-right' | 'checksum-wrong' | 'not-hex';

const DIGITS = 40;
const DIGITS_PER_LANE = 8;

const NOT_HEX = 0;
const SMALL = 1;
const CAPITAL = 2;
const NUMERAL = 3;

/** Kind of each character, and the even and the odd bits of its small form, by character code. */
const kinds = new Uint8Array(128);
const evenBits = new Uint8Array(128);
const oddBits = new Uint8Array(128);

for (const [characters, kind] of [
  ['0123456789', NUMERAL],
  ['abcdef', SMALL],
  ['ABCDEF', CAPITAL],
] as const) {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    const small = character.toLowerCase().charCodeAt(0);
    kinds[code] = kind;
    for (let bit = 0; bit < 8; bit += 2) {
      evenBits[code]! |= ((small >> bit) & 1) << (bit / 2);
      oddBits[code]! |= ((small >> (bit + 1)) & 1) << (bit / 2);
    }
  }
}

/*
 * EIP-55: letter i of the address is a capital when digit i of the hash of the address in small letters is 8 or more,
 * that is, when the top bit of that digit is set. Top bits are odd bits: the 16 digits of a lane have theirs in one word.
 */
const letters = new Int32Array(3);
const capitals = new Int32Array(3);

/** Place, in a lane's word of odd bits, of the top bit of each of its 16 digits; high digits come first in a byte. */
const TOP_BIT = Int32Array.from(
  { length: 16 },
  (_, i) => 1 << (4 * (i >> 1) + (i % 2 === 0 ? 3 : 1)),
);

/** Reads the 40 characters from `start` on and checks the checksum in their case (EIP-55). */
export function hexCaseOf(text: string, start: number): HexCase {
  const seen = loadDigits(text, start);
  if (seen < 0) return 'not-hex';
  if ((seen & SEEN_BOTH) !== SEEN_BOTH) return 'one-case';
  finishMessage();
  keccakF();
  const right =
    (state[1]! & letters[0]!) === capitals[0]! &&
    (state[3]! & letters[1]!) === capitals[1]! &&
    (state[5]! & letters[2]!) === capitals[2]!;
  return right ? 'checksum-right' : 'checksum-wrong';
}

const SEEN_BOTH = (1 << SMALL) | (1 << CAPITAL);

/** Puts the digits in small letters into the first five lanes; returns the kinds seen as bits, or -1. */
function loadDigits(text: string, start: number): number {
  letters.fill(0);
  capitals.fill(0);
  let seen = 0;
  for (let first = 0; first < DIGITS; first += DIGITS_PER_LANE) {
    let even = 0;
    let odd = 0;
    for (let i = first; i < first + DIGITS_PER_LANE; i++) {
      const code = text.charCodeAt(start + i);
      const kind = kinds[code] ?? NOT_HEX;
      if (kind === NOT_HEX) return -1;
      if (kind !== NUMERAL) letters[i >> 4]! |= TOP_BIT[i & 15]!;
      if (kind === CAPITAL) capitals[i >> 4]! |= TOP_BIT[i & 15]!;
      seen |= 1 << kind;
      even |= evenBits[code]! << (4 * (i & 7));
      odd |= oddBits[code]! << (4 * (i & 7));
    }
    state[first / 4] = even;
    state[first / 4 + 1] = odd;
  }
  return seen;
}

/** Padding of Keccak-256: the bit after the message (byte 40) and the last bit of the block (byte 135). */
function finishMessage(): void {
  state.fill(0, 10);
  state[10] = 1;
  state[33] = 0x80000000;
}
