import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import { addKey, type BitFilter, bitsOf, createBitFilter, hasBits } from './bit-filter.ts';
import type { OwnSegment } from './own-prints.ts';

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
  /** The payee with the hash, or {@link NO_SLOT}. */
  slotOf(low: number, high: number): number;
  /** 1 when a row of the payee in the batch may have this hash (its first half), else 0; rarely 1 where none has. */
  mayHaveRow(slot: number, hash: number): number;
  /** Takes down what the payee got before, as a magnitude. */
  pay(slot: number, magnitude: number): void;
  /** The largest that the payee of a row, by its index, ever got; 0 when it was never paid. */
  largestOf(index: number): number;
}>;

export const NO_SLOT = -1;

/**
 * A slot is four words side by side, so that one look at the memory is enough: both halves of a hash, a value, and the bits
 * of the payee's rows. The value is 0 while the slot is free, then {@link UNPAID}, then the largest amount that the payee
 * got, as a magnitude.
 */
const SLOT_WORDS = 4;
const VALUE = 2;
const ROWS = 3;
const UNPAID = -1;

export function createPayees(count: number): Payees {
  const { bits, eighths, size } = sizeFor(count);
  const table = new Int32Array(size * SLOT_WORDS);
  const seeds = new Set<number>();
  const keys = createBitFilter(count);
  const slots = new Int32Array(count);
  const isNew = new Uint8Array(count);

  /** Where the slot of a hash starts, else the free one where it belongs. */
  function startOf(low: number, high: number): number {
    let at = (((low >>> (32 - bits)) * eighths) >>> 3) * SLOT_WORDS;
    while (table[at + VALUE] !== 0 && (table[at] !== low || table[at + 1] !== high)) {
      at += SLOT_WORDS;
      if (at === table.length) at = 0;
    }
    return at;
  }

  return {
    add({ prints, space, first }) {
      const { low: seedLow, high: seedHigh } = space.currencySeed;
      seeds.add(seedLow);
      for (let i = 0, at = 0; at < prints.length; i++, at += PRINT_WORDS) {
        const low = (prints[at + PART.address] ?? 0) ^ seedLow;
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

const LOAD_MAX = 0.75;
const BITS_MIN = 4;

/**
 * How many slots: so many eighths of a power of two. So the place of a hash follows from its top bits by whole numbers of
 * 32 bits alone, which is quicker than any division, and no power of two is left half empty.
 */
function sizeFor(count: number): Readonly<{ bits: number; eighths: number; size: number }> {
  const needed = Math.ceil(count / LOAD_MAX) + 1;
  const bits = Math.max(BITS_MIN, Math.ceil(Math.log2(needed)));
  const eighth = 2 ** (bits - 3);
  const eighths = Math.ceil(needed / eighth);
  return { bits, eighths, size: eighths * eighth };
}
