import { type AddressCheck, REASONS, refused, verified, withoutChecksum } from './address-check.ts';
import { BLOCK_BYTES, keccakF, state } from './keccak.ts';

const ADDRESS_CHARS = 42;
const DIGITS_START = 2;

/**
 * Ethereum and the networks that use its addresses: 0x and 40 hexadecimal digits. Mixed letters carry the checksum of
 * EIP-55; all small or all capital letters carry none.
 */
export function checkEvm(address: string): AddressCheck {
  if (!address.startsWith('0x')) return refused(REASONS.prefix);
  if (address.length !== ADDRESS_CHARS) return refused(REASONS.length);
  const hexCase = hexCaseOf(address, DIGITS_START);
  if (hexCase === 'checksum-right') return verified(address.toLowerCase());
  if (hexCase === 'one-case') return withoutChecksum(address.toLowerCase());
  return refused(hexCase === 'not-hex' ? REASONS.character : REASONS.checksum);
}

// oxlint-disable typescript/no-non-null-assertion -- arithmetic on arrays of fixed size; every index is inside
/**
 * The letter case of 40 hexadecimal digits: no checksum, the right one, or a wrong one. `not-hex`: they are no such
 * digits.
 */
type HexCase = 'one-case' | 'checksum-right' | 'checksum-wrong' | 'not-hex';

const DIGITS = 40;

/** Kinds of digits, as flags. */
const NUMERAL = 1;
const SMALL = 2;
const CAPITAL = SMALL << 1;
const BOTH_CASES = SMALL | CAPITAL;

/** Kind of each character by its code; 0 for a character that is no hexadecimal digit. */
const kinds = new Uint8Array(128);
for (const character of '0123456789') kinds[character.charCodeAt(0)] = NUMERAL;
for (const character of 'abcdef') kinds[character.charCodeAt(0)] = SMALL;
for (const character of 'ABCDEF') kinds[character.charCodeAt(0)] = CAPITAL;

/** Turns the code of a capital into that of its small letter; numerals and small letters have this bit. */
const SMALL_BIT = 0x20;

/** Kinds of the digits of the address that is being read. */
const written = new Uint8Array(DIGITS);

/** Reads the 40 characters from `start` on and checks the checksum in their case (EIP-55). */
export function hexCaseOf(text: string, start: number): HexCase {
  const seen = loadDigits(text, start);
  if (seen < 0) return 'not-hex';
  if ((seen & BOTH_CASES) !== BOTH_CASES) return 'one-case';
  finishMessage();
  keccakF();
  return hasRightCase() ? 'checksum-right' : 'checksum-wrong';
}

/** Starts the message with the digits in small letters. Returns the kinds found as flags, or -1. */
function loadDigits(text: string, start: number): number {
  let seen = 0;
  for (let i = 0; i < DIGITS; i++) {
    const code = text.charCodeAt(start + i);
    const kind = kinds[code] ?? 0;
    if (kind === 0) return -1;
    seen |= kind;
    written[i] = kind;
    state[i] = code | SMALL_BIT;
  }
  return seen;
}

/** Padding of Keccak-256: the bit after the message and the last bit of the block. */
function finishMessage(): void {
  state.fill(0, DIGITS);
  state[DIGITS] = 0x01;
  state[BLOCK_BYTES - 1] = 0x80;
}

/**
 * A letter is a capital when the digit at its place in the hash is 8 or more, that is, when that digit's top bit is
 * set. Without branches: the bits of a hash defeat the branch prediction of the processor at every second letter.
 */
function hasRightCase(): boolean {
  let wrong = 0;
  for (let i = 0; i < DIGITS; i++) {
    const topBit = (state[i >> 1]! >> (i % 2 === 0 ? 7 : 3)) & 1;
    wrong |= written[i]! & (CAPITAL >> topBit);
  }
  return wrong === 0;
}
