/** Checksum constants of BIP-173 and BIP-350; witness version 0 uses the first, all later ones the second. */
export const BECH32 = 1;
export const BECH32M = 0x2bc830a3;

const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** The remainders that the five bits leaving the checksum at its top add to it, by the value of these bits. */
const REMAINDERS = Int32Array.from({ length: 32 }, (_, top) =>
  GENERATORS.reduce((sum, generator, bit) => ((top >> bit) & 1 ? sum ^ generator : sum), 0),
);
const CHECKSUM_CHARS = 6;
const ADDRESS_CHARS_MAX = 90;

/** Five-bit value of each character that bech32 and cashaddr share, by character code. */
export const BECH32_DIGITS = digitsOf(CHARACTERS);

function digitsOf(characters: string): Int8Array {
  const digits = new Int8Array(128).fill(-1);
  for (let i = 0; i < characters.length; i++) digits[characters.charCodeAt(i)] = i;
  return digits;
}

/** A bech32 text in parts. `checksum` is what its checksum comes to: {@link BECH32}, {@link BECH32M} or damage. */
export type Bech32Text = Readonly<{ prefix: string; values: Uint8Array; checksum: number }>;

/** Splits a bech32 text in small letters; undefined when it has another form. */
export function splitBech32(text: string): Bech32Text | undefined {
  const separator = text.lastIndexOf('1');
  const count = text.length - separator - 1;
  if (separator < 1 || count < CHECKSUM_CHARS || text.length > ADDRESS_CHARS_MAX) return undefined;
  const values = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const digit = BECH32_DIGITS[text.charCodeAt(separator + 1 + i)] ?? -1;
    if (digit < 0) return undefined;
    values[i] = digit;
  }
  const prefix = text.slice(0, separator);
  const checksum = checksumOf(prefix, values);
  return { prefix, values: values.subarray(0, count - CHECKSUM_CHARS), checksum };
}

function checksumOf(prefix: string, values: Uint8Array): number {
  let sum = 1;
  for (let i = 0; i < prefix.length; i++) sum = step(sum) ^ (prefix.charCodeAt(i) >> 5);
  sum = step(sum);
  for (let i = 0; i < prefix.length; i++) sum = step(sum) ^ (prefix.charCodeAt(i) & 31);
  for (const value of values) sum = step(sum) ^ value;
  return sum;
}

const step = (sum: number): number =>
  ((sum & 0x1ffffff) << 5) ^ (REMAINDERS[(sum >> 25) & 31] ?? 0);

/** Packs five-bit values into bytes; undefined when bits are left over that are not zero padding. */
export function bytesOfFiveBits(values: Uint8Array): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((values.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const value of values) {
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
    }
  }
  const padding = held & ((1 << bits) - 1);
  return bits < 5 && padding === 0 ? bytes : undefined;
}
