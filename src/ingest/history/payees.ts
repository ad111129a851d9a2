import {
  PART,
  PRINT_WORDS,
  type PrintSegment,
  type PrintSpace,
} from '../../domain/plan/row-print.ts';
import { createPairTable } from '../pair-table.ts';
import type { OwnPrints } from './own-prints.ts';

/** Whom a batch pays: an address in a currency is one payee, named by the index of its first row. */
export type Payees = Readonly<{
  payeeOf(index: number): number;
  /** Calls `found` with each payee of the batch to whose address and currency a print belongs. */
  eachIn(segment: PrintSegment, found: (payee: number, at: number) => void): void;
}>;

export function createPayees(own: OwnPrints): Payees {
  const firsts = createPairTable(() => own.count);
  const payees = new Int32Array(own.count);
  for (let index = 0; index < own.count; index++) {
    const seed = own.spaces[own.spaceOf[index] ?? 0]?.currencySeed ?? NO_SEED;
    const at = index * PRINT_WORDS + PART.address;
    const low = (own.words[at] ?? 0) ^ seed.low;
    const high = (own.words[at + 1] ?? 0) ^ seed.high;
    const first = firsts.putIfAbsent(low, high, index + 1);
    payees[index] = first === 0 ? index : first - 1;
  }

  return {
    payeeOf: (index) => payees[index] ?? 0,
    eachIn({ currency, prints }, found) {
      const seed = seedOf(own.spaces, currency);
      if (seed === undefined) return;
      for (let at = 0; at < prints.length; at += PRINT_WORDS) {
        const low = (prints[at + PART.address] ?? 0) ^ seed.low;
        const high = (prints[at + PART.address + 1] ?? 0) ^ seed.high;
        const payee = firsts.get(low, high);
        if (payee !== 0) found(payee - 1, at);
      }
    },
  };
}

const NO_SEED: PrintSpace['currencySeed'] = { low: 0, high: 0 };

/** Payees in a currency that the batch does not have are none of its. */
const seedOf = (spaces: readonly PrintSpace[], currency: string) =>
  spaces.find((space) => space.currency === currency)?.currencySeed;
