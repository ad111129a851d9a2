import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { OwnSegment } from './own-prints.ts';
import { createRowList, type RowList } from './row-kinds.ts';

/**
 * A row of the batch that repeats a payment of another batch; `index` and `row` name the first, `otherRow` the other.
 */
export type Repeat = Readonly<{ index: number; row: RowNumber; otherRow: RowNumber }>;

/** The common payments of a batch and another one. */
export type BatchRepeats<Batch> = Readonly<{
  batch: Batch;
  /** Rows in common. One that stands several times in both counts as often as in the one that has it less often. */
  shared: number;
  each(take: (repeat: Repeat) => void): void;
}>;

/** Finds the common payments of a batch and others, one after the other. */
export type Repeats<Batch> = Readonly<{
  /** Takes the print of the other batch that begins at `at`; one that the batch does not have is taken in vain. */
  take(prints: Int32Array, at: number): void;
  /** Ends the other batch. */
  end(batch: Batch): void;
  /** Whether so much was taken that it is to be matched before another batch. */
  isFull(): boolean;
  /** Compares the taken rows, which are dropped now, with the rows of the batch. */
  matcher(): Matcher<Batch>;
}>;

/** Takes all rows of the batch; then returns the common payments with each other batch, in their order. */
export type Matcher<Batch> = Readonly<{
  look(segment: OwnSegment): void;
  results(): Generator<BatchRepeats<Batch>>;
}>;

/** With so many the rows of the batch are read once more: some megabytes. */
const TAKEN_MAX = 524_288;

/** The rows that were taken, and how many they were at the end of each batch. */
type Taken<Batch> = Readonly<{
  rows: RowList;
  batches: readonly Readonly<{ batch: Batch; upTo: number }>[];
}>;

/** `count`: rows of the batch that others are held against. */
export function createRepeats<Batch>(count: number): Repeats<Batch> {
  let rows = createRowList();
  let batches: Readonly<{ batch: Batch; upTo: number }>[] = [];
  return {
    take: (prints, at) => rows.add(prints, at),
    end: (batch) => void batches.push({ batch, upTo: rows.count() }),
    isFull: () => rows.count() >= TAKEN_MAX,
    matcher() {
      const taken = { rows, batches };
      rows = createRowList();
      batches = [];
      return createMatcher(taken, count);
    },
  };
}

function createMatcher<Batch>({ rows, batches }: Taken<Batch>, ownCount: number): Matcher<Batch> {
  const { ofRows, kindOf } = rows.kinds();
  /** Rows of the batch of each kind, and for each row the next one of its kind: as indexes plus 1, 0 for none. */
  const firsts = new Int32Array(rows.count() + 1);
  const lasts = new Int32Array(rows.count() + 1);
  const nexts = new Int32Array(ownCount);
  const numbers = new Int32Array(ownCount);

  function add(kind: number, index: number, number: number): void {
    numbers[index] = number;
    const last = lasts[kind] ?? 0;
    if (last === 0) firsts[kind] = index + 1;
    else nexts[last - 1] = index + 1;
    lasts[kind] = index + 1;
  }

  /** Matches rows of another batch with rows of their kinds, in order; gives the indexes, -1 where none is left. */
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
    look({ prints, first }) {
      for (let index = first, at = 0; at < prints.length; index++, at += PRINT_WORDS) {
        const kind = kindOf(prints, at);
        if (kind !== 0) add(kind, index, prints[at + PART.number] ?? 0);
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
