import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { BatchSegment } from './batch-fingerprints.ts';
import { createRowList, type RowList } from './row-kinds.ts';

/**
 * A row of the batch (`index`, `row`) that pays the same as a row of another batch (`otherRow`).
 */
export type Repeat = Readonly<{ index: number; row: RowNumber; otherRow: RowNumber }>;

/** The rows that the batch has in common with another one. */
export type BatchRepeats<Batch> = Readonly<{
  batch: Batch;
  /** Number of common rows. A row that is repeated in both counts by the smaller number. */
  shared: number;
  each(take: (repeat: Repeat) => void): void;
}>;

/** Finds the common rows of the batch and of other batches, one batch after the other. */
export type Repeats<Batch> = Readonly<{
  /** Adds the row of the other batch whose fingerprint begins at `prints[at]`. */
  take(prints: Int32Array, at: number): void;
  /** Ends the other batch. */
  end(batch: Batch): void;
  /** Whether the added rows fill their memory limit, and must be matched now. */
  isFull(): boolean;
  /** Returns a matcher of the added rows, and drops these. */
  matcher(): RepeatMatcher<Batch>;
}>;

/**
 * Matches all rows of the batch. Add them all, then read the results for each other batch in order.
 */
export type RepeatMatcher<Batch> = Readonly<{
  add(segment: BatchSegment): void;
  results(): Generator<BatchRepeats<Batch>>;
}>;

/** Added rows before a match with all rows of the batch: some megabytes. */
const ADDED_ROWS_MAX = 524_288;

/** The added rows, and their number at the end of each batch. */
type AddedRows<Batch> = Readonly<{
  rows: RowList;
  batches: readonly Readonly<{ batch: Batch; upTo: number }>[];
}>;

/** `count`: the number of rows in the batch. */
export function createRepeats<Batch>(count: number): Repeats<Batch> {
  let rows = createRowList();
  let batches: Readonly<{ batch: Batch; upTo: number }>[] = [];
  return {
    take: (prints, at) => rows.add(prints, at),
    end: (batch) => void batches.push({ batch, upTo: rows.count() }),
    isFull: () => rows.count() >= ADDED_ROWS_MAX,
    matcher() {
      const added = { rows, batches };
      rows = createRowList();
      batches = [];
      return createMatcher(added, count);
    },
  };
}

function createMatcher<Batch>(
  { rows, batches }: AddedRows<Batch>,
  ownCount: number,
): RepeatMatcher<Batch> {
  const { ofRows, kindOf } = rows.kinds();
  /**
   * By kind: first and last row of the batch. By row: the next one of its kind. Index plus 1; 0 for
   * none.
   */
  const firsts = new Int32Array(rows.count() + 1);
  const lasts = new Int32Array(rows.count() + 1);
  const nexts = new Int32Array(ownCount);
  const numbers = new Int32Array(ownCount);

  function addOfKind(kind: number, index: number, number: number): void {
    numbers[index] = number;
    const last = lasts[kind] ?? 0;
    if (last === 0) firsts[kind] = index + 1;
    else nexts[last - 1] = index + 1;
    lasts[kind] = index + 1;
  }

  /**
   * Matches rows of another batch with rows of the same kind. Returns their indexes; -1 for none.
   */
  function matched(kinds: Int32Array, free: Int32Array): Int32Array {
    const indexes = kinds.map((kind) => {
      const next = free[kind] ?? 0;
      if (next !== 0) free[kind] = nexts[next - 1] ?? 0;
      return next - 1;
    });
    for (const kind of kinds) free[kind] = firsts[kind] ?? 0;
    return indexes;
  }

  return {
    add({ prints, first }) {
      for (let index = first, at = 0; at < prints.length; index++, at += PRINT_WORDS) {
        const kind = kindOf(prints, at);
        if (kind !== 0) addOfKind(kind, index, prints[at + PART.number] ?? 0);
      }
    },
    *results() {
      const free = firsts.slice();
      let start = 0;
      for (const { batch, upTo } of batches) {
        const from = start;
        const indexes = matched(ofRows.subarray(from, upTo), free);
        yield {
          batch,
          shared: indexes.reduce((sum, index) => (index === -1 ? sum : sum + 1), 0),
          each: (take) =>
            indexes.forEach((index, i) => {
              if (index === -1) return;
              take({ index, row: numbers[index] ?? 0, otherRow: rows.numberOf(from + i) });
            }),
        };
        start = upTo;
      }
    },
  };
}
