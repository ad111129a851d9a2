import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import { addKey, type BloomFilter, bitsOf, createBloomFilter, hasBits } from './bloom-filter.ts';
import type { BatchSegment } from './batch-fingerprints.ts';
import { createRecipientSlots, ROWS, VALUE } from './recipient-slots.ts';

/**
 * The recipients of a batch. An address in one currency is one recipient, named by its slot.
 * Add all rows of the batch before the first test.
 */
export type Recipients = Readonly<{
  /** Adds rows of the batch. */
  add(segment: BatchSegment): void;
  /** By row index: 1 when no earlier row has the recipient, else 0. */
  isNew: Uint8Array;
  /** The first halves of the seeds of the batch's currencies. */
  seeds: ReadonlySet<number>;
  /** The first halves of the hashes of all recipients. */
  keys: BloomFilter;
  /** Loads slots into the processor's cache before calls of {@link slotOf}. */
  fetch(lows: Int32Array, count: number): void;
  /** Returns the recipient with the hash, or {@link NO_SLOT}. */
  slotOf(low: number, high: number): number;
  /** Returns 1 when a row of the recipient may have this hash (its first half), else 0. */
  mayHaveRow(slot: number, hash: number): number;
  /** Records an earlier amount of the recipient, as a magnitude. */
  pay(slot: number, magnitude: number): void;
  /** Returns the largest earlier amount of the recipient of a row, or 0 when it was never paid. */
  largestOf(index: number): number;
}>;

export const NO_SLOT = -1;

/** The value of a recipient that was never paid. Otherwise the value is the largest amount. */
const UNPAID = -1;

export function createRecipients(count: number): Recipients {
  const { table, startOf, fetch } = createRecipientSlots(count);
  const seeds = new Set<number>();
  const keys = createBloomFilter(count);
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
