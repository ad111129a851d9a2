import type { RowNumber } from '../domain/rows/row.ts';
import type { KeyHash } from './key-hash.ts';

/** Remembers rows by the hash of what they pay. */
export type DuplicateIndex = Readonly<{
  /** The first row with the same hash; undefined when `row` is that row, which is then remembered. */
  firstRow(hash: KeyHash, row: RowNumber): RowNumber | undefined;
}>;

const SLOTS_MIN = 4_096;
const LOAD_MAX = 0.75;
/** How much more than the estimate is made room for, so that a good estimate is the last. */
const RESERVE = 1.1;
const GROWTH_MIN = 1.5;

type Slots = Readonly<{
  count: number;
  lows: Uint32Array;
  highs: Uint32Array;
  /** Line of each remembered row; 0 marks a free slot, as no row is in line 0. */
  rows: Uint32Array;
}>;

/**
 * A hash table in three arrays of numbers: 12 bytes a slot, about 16 a row. `expectedRows` is asked when the table grows,
 * so that one that fits the whole file is made early instead of ever larger ones.
 */
export function createDuplicateIndex(expectedRows: () => number): DuplicateIndex {
  let slots = emptySlots(SLOTS_MIN);
  let used = 0;

  function grow(): void {
    const needed = Math.ceil((expectedRows() * RESERVE) / LOAD_MAX);
    const larger = emptySlots(Math.max(needed, Math.ceil(slots.count * GROWTH_MIN)));
    slots.rows.forEach((row, slot) => {
      if (row === 0) return;
      const hash = { low: slots.lows[slot] ?? 0, high: slots.highs[slot] ?? 0 };
      store(larger, slotOf(larger, hash), { ...hash, row });
    });
    slots = larger;
  }

  return {
    firstRow(hash, row) {
      const slot = slotOf(slots, hash);
      const first = slots.rows[slot];
      if (first !== 0) return first;
      store(slots, slot, { ...hash, row });
      used += 1;
      if (used > slots.count * LOAD_MAX) grow();
      return undefined;
    },
  };
}

const emptySlots = (count: number): Slots => ({
  count,
  lows: new Uint32Array(count),
  highs: new Uint32Array(count),
  rows: new Uint32Array(count),
});

/** The slot that holds the hash, else the free one where it belongs. One half gives the place, both tell hashes apart. */
function slotOf({ count, lows, highs, rows }: Slots, { low, high }: KeyHash): number {
  let slot = Math.floor((low / 2 ** 32) * count);
  while (rows[slot] !== 0 && (lows[slot] !== low || highs[slot] !== high)) {
    slot = slot + 1 === count ? 0 : slot + 1;
  }
  return slot;
}

function store(slots: Slots, slot: number, entry: KeyHash & Readonly<{ row: RowNumber }>): void {
  slots.lows[slot] = entry.low;
  slots.highs[slot] = entry.high;
  slots.rows[slot] = entry.row;
}
