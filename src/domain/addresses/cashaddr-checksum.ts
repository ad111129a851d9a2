/*
 * The checksum of cashaddr has 40 bits, more than JavaScript's bit operations hold, so it is kept in two halves of 20.
 */
const HALF_BITS = 20;
const HALF_MASK = 0xfffff;
const SHIFTED_MASK = 0x7fff;

const GENERATORS: readonly (readonly [number, number])[] = [
  [0x98f2b, 0xc8e61],
  [0x79b76, 0xd99e2],
  [0xf33e5, 0xfb3c4],
  [0xae2ea, 0xbe2a8],
  [0x1e4f4, 0x3e470],
];

/** Whether five-bit values, of which the last eight are the checksum, belong together under this prefix. */
export function hasCashaddrChecksum(prefix: string, values: Uint8Array): boolean {
  let high = 0;
  let low = 1;
  const add = (value: number): void => {
    const top = high >> (HALF_BITS - 5);
    high = ((high & SHIFTED_MASK) << 5) | (low >> (HALF_BITS - 5));
    low = (((low & SHIFTED_MASK) << 5) & HALF_MASK) ^ value;
    GENERATORS.forEach(([generatorHigh, generatorLow], bit) => {
      if (((top >> bit) & 1) === 0) return;
      high ^= generatorHigh;
      low ^= generatorLow;
    });
  };
  for (let i = 0; i < prefix.length; i++) add(prefix.charCodeAt(i) & 31);
  add(0);
  for (const value of values) add(value);
  return high === 0 && low === 1;
}
