import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import { bitsOf, hasBits } from './bit-filter.ts';
import type { OwnPrints } from './own-prints.ts';

/** Whom a batch pays: an address in a currency is one payee, named by the index of its first row. */
export type Payees = Readonly<{
  /** The payee of each row. */
  ofRows: Int32Array;
  /** Where the payee of each row is found in these books; for the other functions. */
  slots: Int32Array;
  /** Finds the slot of the payee of the print that begins at `at`, of the space; {@link NO_SLOT} for none. */
  finder(space: PrintSpace): (prints: Int32Array, at: number) => number;
  /** Whether a row of the payee in the batch may have this hash (its first half); rarely true where none has. */
  mayHaveRow(slot: number, hash: number): boolean;
  /** Takes down what the payee got before, as a magnitude. */
  pay(slot: number, magnitude: number): void;
  /** The largest that the payee ever got; 0 when it was never paid. */
  largest(slot: number): number;
}>;

export const NO_SLOT = -1;

/**
 * A slot is four words side by side, so that one look at the memory is enough: both halves of a hash, a value, and the bits
 * of the payee's rows. The value is 0 while the slot is free; -1 less the payee's name as long as it got nothing; then the
 * largest amount that it got, as a magnitude.
 */
const SLOT_WORDS = 4;
const VALUE = 2;
const ROWS = 3;
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
  for (let index = 0, at = 0; index < count; index++, at += PRINT_WORDS) {
    const seed = seeds[spaceOf[index] ?? 0] ?? NO_SEED;
    const low = (words[at + PART.address] ?? 0) ^ seed.low;
    const high = (words[at + PART.address + 1] ?? 0) ^ seed.high;
    const slot = slotOf(low, high);
    if (table[slot + VALUE] === 0) {
      table[slot] = low;
      table[slot + 1] = high;
      table[slot + VALUE] = -1 - index;
    }
    table[slot + ROWS] = (table[slot + ROWS] ?? 0) | bitsOf(words[at + PART.row] ?? 0);
    slots[index] = slot;
    ofRows[index] = -1 - (table[slot + VALUE] ?? 0);
  }

  return {
    ofRows,
    slots,
    finder({ currencySeed: seed }) {
      return (prints, at) => {
        const low = (prints[at + PART.address] ?? 0) ^ seed.low;
        const high = (prints[at + PART.address + 1] ?? 0) ^ seed.high;
        const slot = slotOf(low, high);
        return table[slot + VALUE] === 0 ? NO_SLOT : slot;
      };
    },
    mayHaveRow: (slot, hash) => hasBits(table[slot + ROWS] ?? 0, hash) === 1,
    pay(slot, magnitude) {
      if (magnitude > (table[slot + VALUE] ?? 0)) table[slot + VALUE] = magnitude;
    },
    largest: (slot) => Math.max(0, table[slot + VALUE] ?? 0),
  };
}

const NO_SEED = { low: 0, high: 0 };
