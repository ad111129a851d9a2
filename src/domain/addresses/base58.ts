// oxlint-disable typescript/no-non-null-assertion -- arithmetic on arrays of fixed size; every index is inside
/** Value of each base58 digit by character code; -1 where the character is none. */
export type Base58Digits = Int8Array;

export const BITCOIN_DIGITS = digitsOf(
  '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
);
export const RIPPLE_DIGITS = digitsOf('rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz');

/** Longest text that is decoded: an X-address of the XRP Ledger has 47 characters. */
export const BASE58_CHARS_MAX = 64;
/** Room that a decoded text needs. */
export const BASE58_BYTES_MAX = 64;

/** The text is too long or has a character that is no digit. */
export const NOT_BASE58 = -1;

/*
 * The number is kept in limbs of 24 bits, and four digits are added at a time: 58 ** 4 is below 2 ** 24, so a limb times
 * that stays exact in a double.
 */
const LIMB = 2 ** 24;
const limbs = new Float64Array(18);

function digitsOf(alphabet: string): Base58Digits {
  const digits = new Int8Array(128).fill(-1);
  for (let i = 0; i < alphabet.length; i++) digits[alphabet.charCodeAt(i)] = i;
  return digits;
}

/** Writes the bytes that `text` stands for to `target`, first byte first; returns how many, or {@link NOT_BASE58}. */
export function decodeBase58(text: string, digits: Base58Digits, target: Uint8Array): number {
  if (text.length > BASE58_CHARS_MAX) return NOT_BASE58;
  const used = readLimbs(text, digits);
  if (used === NOT_BASE58) return NOT_BASE58;
  let zeros = 0;
  while (zeros < text.length && digits[text.charCodeAt(zeros)] === 0) zeros += 1;
  return writeBytes(used, zeros, target);
}

function readLimbs(text: string, digits: Base58Digits): number {
  let used = 0;
  for (let at = 0; at < text.length; ) {
    const end = Math.min(at + 4, text.length);
    let carry = 0;
    let factor = 1;
    for (; at < end; at++) {
      const digit = digits[text.charCodeAt(at)] ?? -1;
      if (digit < 0) return NOT_BASE58;
      carry = carry * 58 + digit;
      factor *= 58;
    }
    for (let i = 0; i < used; i++) {
      const sum = limbs[i]! * factor + carry;
      carry = Math.floor(sum / LIMB);
      limbs[i] = sum - carry * LIMB;
    }
    if (carry > 0) limbs[used++] = carry;
  }
  return used;
}

/** Every leading zero digit stands for one zero byte, so that each text has exactly one meaning. */
function writeBytes(used: number, zeros: number, target: Uint8Array): number {
  const top = used === 0 ? 0 : limbs[used - 1]!;
  const topBytes = top >= 2 ** 16 ? 3 : top >= 2 ** 8 ? 2 : top > 0 ? 1 : 0;
  const length = zeros + (used === 0 ? 0 : 3 * (used - 1) + topBytes);
  target.fill(0, 0, zeros);
  let at = length;
  for (let i = 0; i < used; i++) {
    const limb = limbs[i]!;
    for (let shift = 0; shift < 24 && at > zeros; shift += 8) target[--at] = limb >>> shift;
  }
  return length;
}
