/*
 * The checksum of cashaddr has 40 bits, more than JavaScript's bit operations hold, so it is kept in two halves of 20.
 */
const HALF_BITS = 20;
const HALF_MASK = 0xfffff;
const SHIFTED_MASK = 0x7fff;

const GENERATORS_HIGH = [0x98f2b, 0x79b76, 0xf33e5, 0xae2ea, 0x1e4f4];
const GENERATORS_LOW = [0xc8e61, 0xd99e2, 0xfb3c4, 0xbe2a8, 0x3e470];
const HIGH_REMAINDERS = remaindersOf(GENERATORS_HIGH);
const LOW_REMAINDERS = remaindersOf(GENERATORS_LOW);

/**
 * The remainders that the five bits leaving the checksum at its top add to one half of it, by the value of these bits.
 */
function remaindersOf(generators: readonly number[]): Int32Array {
  return Int32Array.from({ length: 32 }, (_, top) =>
    generators.reduce((sum, generator, bit) => ((top >> bit) & 1 ? sum ^ generator : sum), 0),
  );
}

/** Whether five-bit values, of which the last eight are the checksum, belong together under this prefix. */
export function hasCashaddrChecksum(prefix: string, values: Uint8Array): boolean {
  let high = 0;
  let low = 1;
  const add = (value: number): void => {
    const top = high >> (HALF_BITS - 5);
    high = ((high & SHIFTED_MASK) << 5) | (low >> (HALF_BITS - 5));
    low = ((low << 5) & HALF_MASK) ^ value;
    high ^= HIGH_REMAINDERS[top] ?? 0;
    low ^= LOW_REMAINDERS[top] ?? 0;
  };
  for (let i = 0; i < prefix.length; i++) add(prefix.charCodeAt(i) & 31);
  add(0);
  for (const value of values) add(value);
  return high === 0 && low === 1;
}
