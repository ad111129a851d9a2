// oxlint-disable typescript/no-non-null-assertion -- arithmetic on arrays of fixed size; every index is inside
import { keccakF, state } from './keccak.ts';

/** What the letters of 40 hexadecimal digits say: no checksum, the right one, a wrong one; or they are no such digits. */
export type HexCase = 'one-case' | 'checksum-right' | 'checksum-wrong' | 'not-hex';

const DIGITS = 40;
const DIGITS_PER_LANE = 8;

/*
 * What is to be known of each character, by its code, in one number: the four even and the four odd bits of its small
 * form, and whether it is a small letter or a capital. 0 for what is no hexadecimal digit.
 */
const ODD_SHIFT = 4;
const BITS_MASK = 0b1111;
const SMALL = 1 << 8;
const CAPITAL = 1 << 9;
const BOTH_CASES = SMALL | CAPITAL;
const characters = new Int32Array(128);

for (const character of '0123456789abcdefABCDEF') {
  const small = character.toLowerCase();
  const isLetter = small >= 'a';
  const flag = isLetter ? (character === small ? SMALL : CAPITAL) : 0;
  const code = small.charCodeAt(0);
  characters[character.charCodeAt(0)] =
    flag | everySecondBit(code) | (everySecondBit(code >> 1) << ODD_SHIFT);
}

function everySecondBit(byte: number): number {
  return (byte & 1) | ((byte >> 1) & 2) | ((byte >> 2) & 4) | ((byte >> 3) & 8);
}

/*
 * EIP-55: a letter is a capital when the digit at its place in the hash of the address in small letters is 8 or more,
 * that is, when the top bit of that digit is set. Top bits are odd bits: the 16 digits of a lane of the hash have theirs
 * in one word. `letters` and `capitals` have a bit for each letter and capital of the address at those places.
 */
const letters = new Int32Array(3);
const capitals = new Int32Array(3);

/** Place of the top bit of each of the 16 digits of a lane; the high digit of a byte is written first. */
const TOP_BITS = Int32Array.from({ length: 16 }, (_, i) => 1 << (4 * (i >> 1) + (i % 2 ? 1 : 3)));

/** Reads the 40 characters from `start` on and checks the checksum in their case (EIP-55). */
export function hexCaseOf(text: string, start: number): HexCase {
  const seen = loadDigits(text, start);
  if (seen < 0) return 'not-hex';
  if ((seen & BOTH_CASES) !== BOTH_CASES) return 'one-case';
  finishMessage();
  keccakF();
  const right =
    (state[1]! & letters[0]!) === capitals[0]! &&
    (state[3]! & letters[1]!) === capitals[1]! &&
    (state[5]! & letters[2]!) === capitals[2]!;
  return right ? 'checksum-right' : 'checksum-wrong';
}

/** Puts the digits in small letters into the first five lanes; returns the kinds seen as flags, or -1. */
function loadDigits(text: string, start: number): number {
  letters.fill(0);
  capitals.fill(0);
  let seen = 0;
  for (let first = 0; first < DIGITS; first += DIGITS_PER_LANE) {
    let even = 0;
    let odd = 0;
    for (let i = first; i < first + DIGITS_PER_LANE; i++) {
      const character = characters[text.charCodeAt(start + i)] ?? 0;
      if (character === 0) return -1;
      seen |= character;
      if (character >= SMALL) noteLetter(i, character >= CAPITAL);
      even |= (character & BITS_MASK) << (4 * (i & 7));
      odd |= ((character >> ODD_SHIFT) & BITS_MASK) << (4 * (i & 7));
    }
    state[first / 4] = even;
    state[first / 4 + 1] = odd;
  }
  return seen;
}

function noteLetter(index: number, isCapital: boolean): void {
  const bit = TOP_BITS[index & 15]!;
  letters[index >> 4]! |= bit;
  if (isCapital) capitals[index >> 4]! |= bit;
}

/** Padding of Keccak-256: the bit after the message (byte 40) and the last bit of the block (byte 135). */
function finishMessage(): void {
  state.fill(0, 10);
  state[10] = 1;
  state[33] = 0x80000000;
}
