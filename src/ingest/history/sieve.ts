import {
  PART,
  PRINT_WORDS,
  type PrintSegment,
  type PrintSpace,
  printSpaceOf,
} from '../../domain/plan/row-print.ts';
import { addKey, type BitFilter, bitOfKey, createBitFilter } from './bit-filter.ts';
import { endsKey } from './ends-key.ts';
import type { OwnPrints } from './own-prints.ts';

/** What a print of another batch may have in common with the batch that is planned, as flags. */
export const SAME_PAYEE = 0b01;
export const SAME_ENDS = 0b10;

/**
 * Sorts out the prints of other batches that have nothing in common with this one: nearly all of them, at the first look.
 * Every print that has something in common passes; whoever takes it must still look whether it has.
 */
export type Sieve = Readonly<{
  /** The flags of each print. */
  sift(segment: PrintSegment): Uint8Array;
}>;

/** `ends`: the keys of the addresses that another one may look like. */
export function createSieve(own: OwnPrints, ends: BitFilter): Sieve {
  const payees = createBitFilter(own.count);
  for (let index = 0, at = PART.address; index < own.count; index++, at += PRINT_WORDS) {
    const seed = own.spaces[own.spaceOf[index] ?? 0]?.currencySeed.low ?? 0;
    addKey(payees, (own.words[at] ?? 0) ^ seed);
  }

  /** The flags that any print in a currency can have. */
  function kindsIn({ currency, addressSeed }: PrintSpace): number {
    const hasCurrency = own.spaces.some((space) => space.currency === currency);
    const hasFamily = own.spaces.some((space) => space.addressSeed.low === addressSeed.low);
    return (hasCurrency ? SAME_PAYEE : 0) | (hasFamily ? SAME_ENDS : 0);
  }

  return {
    sift({ currency, prints }) {
      const space = printSpaceOf(currency);
      const [payeeSeed, endsSeed] = [space.currencySeed.low, space.addressSeed.low];
      const kinds = kindsIn(space);
      const flags = new Uint8Array(prints.length / PRINT_WORDS);
      if (kinds === 0) return flags;
      // All at hand and without a branch: this is done for every row that was ever paid, and chance decides which pass.
      const [payeeBits, payeeMask] = [payees.words, payees.mask];
      const [endsBits, endsMask] = [ends.words, ends.mask];
      for (let i = 0, at = 0; i < flags.length; i++, at += PRINT_WORDS) {
        const payee = (prints[at + PART.address] ?? 0) ^ payeeSeed;
        const alike = endsKey(
          prints[at + PART.ends] ?? 0,
          prints[at + PART.ends + 1] ?? 0,
          endsSeed,
        );
        const isPayee = bitOfKey(payeeBits, payeeMask, payee);
        const isAlike = bitOfKey(endsBits, endsMask, alike);
        flags[i] = ((isPayee * SAME_PAYEE) | (isAlike * SAME_ENDS)) & kinds;
      }
      return flags;
    },
  };
}
