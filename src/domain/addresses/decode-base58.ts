// oxlint-disable typescript/no-non-null-assertion -- arithmetic on arrays of fixed size; every index is inside
/*
 * Base58 of short texts, as addresses have it. Written here because it takes half of the time of a general
 * implementation, and a file may hold a million addresses; a property test compares it with @scure/base.
 */

/** Longer texts are no addresses: an X-address of the XRP Ledger has 47 characters. */
const CHARS_MAX = 64;

/** The number so far has limbs of 18 bits: a limb times two digits, and a carry, fit into 31 bits. */
const LIMB_BITS = 18;
const LIMB_MASK = 2 ** LIMB_BITS - 1;
const TWO_DIGITS = 58 ** 2;

/** 64 digits of base58 have 375 bits, which are 21 limbs. */
const limbs = new Int32Array(22);

const NO_DIGIT = 58;

/** Returns a function from a text to its bytes; undefined when it is too long or has another character. */
export function createBase58Decoder(digits: string): (text: string) => Uint8Array | undefined {
  const zero = digits.charCodeAt(0);
  const values = new Uint8Array(128).fill(NO_DIGIT);
  for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value;
  const isDigits = new RegExp(`^[${digits}]{0,${CHARS_MAX}}$`);

  return (text) => {
    if (!isDigits.test(text)) return undefined;
    let zeros = 0;
    while (text.charCodeAt(zeros) === zero) zeros += 1;
    let used = 0;
    for (let i = zeros; i < text.length; i += 2) {
      const first = values[text.charCodeAt(i)]!;
      const isLast = i + 1 === text.length;
      const pair = isLast ? first : first * 58 + values[text.charCodeAt(i + 1)]!;
      used = multiplyAndAdd(used, isLast ? 58 : TWO_DIGITS, pair);
    }
    return bytesOf(used, zeros);
  };
}

/** Multiplies the number by a factor and adds to it. Returns how many limbs it has then. */
function multiplyAndAdd(used: number, factor: number, added: number): number {
  let carry = added;
  for (let i = 0; i < used; i++) {
    const value = Math.imul(limbs[i]!, factor) + carry;
    limbs[i] = value & LIMB_MASK;
    carry = value >>> LIMB_BITS;
  }
  if (carry === 0) return used;
  limbs[used] = carry;
  return used + 1;
}

/** The number as bytes, after as many zero bytes as the text has zeros at its start. */
function bytesOf(used: number, zeros: number): Uint8Array {
  const bits = used === 0 ? 0 : used * LIMB_BITS - (Math.clz32(limbs[used - 1]!) - 32 + LIMB_BITS);
  const bytes = new Uint8Array(zeros + Math.ceil(bits / 8));
  let at = bytes.length;
  let [left, leftBits] = [0, 0];
  for (let i = 0; i < used; i++) {
    left |= limbs[i]! << leftBits;
    leftBits += LIMB_BITS;
    for (; leftBits >= 8 && at > zeros; leftBits -= 8) {
      bytes[--at] = left & 0xff;
      left >>>= 8;
    }
  }
  if (at > zeros) bytes[--at] = left & 0xff;
  return bytes;
}
