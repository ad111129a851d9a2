import { FINDING_EXAMPLES_MAX } from '../../domain/plan/finding.ts';
import type { RowNumber } from '../../domain/rows/row.ts';

/** Keeps the rows with the largest amounts of each currency. */
export type LargestRows = Readonly<{
  /** Adds a row. Rows arrive in any order; of equal amounts, the earlier row is kept. */
  add(currency: string, magnitude: number, row: RowNumber): void;
  /** The number of rows that were added. */
  count(): number;
  /** The kept rows, at most `FINDING_EXAMPLES_MAX`. Currencies take turns, so that each has its largest rows. */
  rows(): RowNumber[];
}>;

type SizedRow = Readonly<{ magnitude: number; row: RowNumber }>;

export function createLargestRows(): LargestRows {
  const byCurrency = new Map<string, SizedRow[]>();
  let count = 0;
  return {
    add(currency, magnitude, row) {
      count += 1;
      const kept = byCurrency.get(currency) ?? [];
      if (kept.length === 0) byCurrency.set(currency, kept);
      insert(kept, { magnitude, row });
    },
    count: () => count,
    rows: () => inTurns([...byCurrency.values()]),
  };
}

/** Inserts a row by its amount, the largest first, and keeps the first ones. */
function insert(kept: SizedRow[], added: SizedRow): void {
  let at = kept.length;
  while (at > 0 && isBefore(added, kept[at - 1])) at -= 1;
  if (at === FINDING_EXAMPLES_MAX) return;
  kept.splice(at, 0, added);
  if (kept.length > FINDING_EXAMPLES_MAX) kept.pop();
}

const isBefore = (a: SizedRow, b: SizedRow | undefined): boolean =>
  b !== undefined && (a.magnitude > b.magnitude || (a.magnitude === b.magnitude && a.row < b.row));

function inTurns(lists: readonly (readonly SizedRow[])[]): RowNumber[] {
  const turns = Array.from({ length: FINDING_EXAMPLES_MAX }, (_, turn) =>
    lists.flatMap((list) => list[turn]?.row ?? []),
  );
  return turns.flat().slice(0, FINDING_EXAMPLES_MAX);
}
