import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { OwnPrints } from './own-prints.ts';

/** Whom a batch pays: an address in a currency is one payee, named by the index of its first row. */
export type Payees = Readonly<{
  /** The payee of each row. */
  ofRows: Int32Array;
  /** Where the payee of each row is found in these books; for the other functions. */
  slots: Int32Array;
  /** Finds the slot of the payee of the print that begins at `at`, in the currency; {@link NO_SLOT} for none. */
  finder(currency: string): (prints: Int32Array, at: number) => number;
  /** Takes down what the payee got before, as a magnitude. */
  pay(slot: number, magnitude: number): void;
  /** The largest that the payee ever got; 0 when it was never paid. */
  largest(slot: number): number;
}>;

export const NO_SLOT = -1;

/**
 * A slot is three words side by side: both halves of a hash, and a value. That is 0 while the slot is free, the largest
 * amount that the payee got, or, as long as it got none, what is below zero by its name and one.
 */
const SLOT_WORDS = 3;
const VALUE = 2;
const LOAD_MAX = 0.75;
const SLOTS_MIN = 16;

export function createPayees({ count, words, spaces, spaceOf }: OwnPrints): Payees {
  const size = Math.max(SLOTS_MIN, Math.ceil(count / LOAD_MAX));
  const table = new Int32Array(size * SLOT_WORDS);

  /** Where the slot of a hash starts, else the free one where it belongs. */
  function slotOf(low: number, high: number): number {
    let slot = Math.floor(((low >>> 0) / 2 ** 32) * size) * SLOT_WORDS;
    while (table[slot + VALUE] !== 0 && (table[slot] !== low || table[slot + 1] !== high)) {
      slot += SLOT_WORDS;
      if (slot === table.length) slot = 0;
    }
    return slot;
  }

  const seeds = spaces.map(({ currencySeed }) => currencySeed);
  const slots = new Int32Array(count);
  const ofRows = new Int32Array(count);
  for (let index = 0, at = PART.address; index < count; index++, at += PRINT_WORDS) {
    const seed = seeds[spaceOf[index] ?? 0] ?? NO_SEED;
    const low = (words[at] ?? 0) ^ seed.low;
    const high = (words[at + 1] ?? 0) ^ seed.high;
    const slot = slotOf(low, high);
    if (table[slot + VALUE] === 0) {
      table[slot] = low;
      table[slot + 1] = high;
      table[slot + VALUE] = -1 - index;
    }
    slots[index] = slot;
    ofRows[index] = -1 - (table[slot + VALUE] ?? 0);
  }

  return {
    ofRows,
    slots,
    finder(currency) {
      const seed = spaces.find((space) => space.currency === currency)?.currencySeed;
      if (seed === undefined) return () => NO_SLOT;
      return (prints, at) => {
        const low = (prints[at + PART.address] ?? 0) ^ seed.low;
        const high = (prints[at + PART.address + 1] ?? 0) ^ seed.high;
        const slot = slotOf(low, high);
        return table[slot + VALUE] === 0 ? NO_SLOT : slot;
      };
    },
    pay(slot, magnitude) {
      if (magnitude > (table[slot + VALUE] ?? 0)) table[slot + VALUE] = magnitude;
    },
    largest: (slot) => Math.max(0, table[slot + VALUE] ?? 0),
  };
}

const NO_SEED = { low: 0, high: 0 };
