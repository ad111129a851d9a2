import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import { addKey, type BitFilter, bitsOf, createBitFilter, hasBits } from './bit-filter.ts';
import type { OwnSegment } from './own-prints.ts';
import { createPayeeSlots, ROWS, VALUE } from './payee-slots.ts';

/**
 * Whom a batch pays: an address in a currency is one payee. All rows of the batch are to be added before the first question.
 * A payee is named by where its slot begins.
 */
export type Payees = Readonly<{
  /** Takes rows of the batch. */
  add(segment: OwnSegment): void;
  /** For each row, by its index: 1 when no row before it has its payee, else 0. */
  isNew: Uint8Array;
  /** The first halves of the seeds of the currencies that the batch pays. */
  seeds: ReadonlySet<number>;
  /** The first halves of the hashes of all payees. */
  keys: BitFilter;
  /** Prefetches the slots that {@link slotOf} reads next: the first halves of so many hashes. */
  fetch(lows: Int32Array, count: number): void;
  /** The payee with the hash, or {@link NO_SLOT}. */
  slotOf(low: number, high: number): number;
  /** 1 when a row of the payee in the batch may have this hash (its first half), else 0; rarely 1 where none has. */
  mayHaveRow(slot: number, hash: number): number;
  /** Records an earlier amount of the recipient, as a magnitude. */
  pay(slot: number, magnitude: number): void;
  /** The largest that the payee of a row, by its index, ever got; 0 when it was never paid. */
  largestOf(index: number): number;
}>;

export const NO_SLOT = -1;

/** The value of a payee that was never paid; else it is the largest amount that the payee got, as a magnitude. */
const UNPAID = -1;

export function createPayees(count: number): Payees {
  const { table, startOf, fetch } = createPayeeSlots(count);
  const seeds = new Set<number>();
  const keys = createBitFilter(count);
  const slots = new Int32Array(count);
  const isNew = new Uint8Array(count);
  let lows = new Int32Array(0);

  return {
    add({ prints, space, first }) {
      const { low: seedLow, high: seedHigh } = space.currencySeed;
      seeds.add(seedLow);
      const rows = prints.length / PRINT_WORDS;
      if (lows.length < rows) lows = new Int32Array(rows);
      for (let i = 0, at = PART.address; i < rows; i++, at += PRINT_WORDS) {
        lows[i] = (prints[at] ?? 0) ^ seedLow;
      }
      fetch(lows, rows);
      for (let i = 0, at = 0; i < rows; i++, at += PRINT_WORDS) {
        const low = lows[i] ?? 0;
        const high = (prints[at + PART.address + 1] ?? 0) ^ seedHigh;
        const start = startOf(low, high);
        isNew[first + i] = table[start + VALUE] === 0 ? 1 : 0;
        table[start] = low;
        table[start + 1] = high;
        table[start + VALUE] = UNPAID;
        table[start + ROWS] = (table[start + ROWS] ?? 0) | bitsOf(prints[at + PART.row] ?? 0);
        slots[first + i] = start;
        addKey(keys, low);
      }
    },
    isNew,
    seeds,
    keys,
    fetch,
    slotOf(low, high) {
      const start = startOf(low, high);
      return table[start + VALUE] === 0 ? NO_SLOT : start;
    },
    mayHaveRow: (slot, hash) => hasBits(table[slot + ROWS] ?? 0, hash),
    pay(slot, magnitude) {
      const at = slot + VALUE;
      if (magnitude > (table[at] ?? 0)) table[at] = magnitude;
    },
    largestOf: (index) => Math.max(0, table[(slots[index] ?? 0) + VALUE] ?? 0),
  };
}
