import type { ReportRow } from '../domain/report/report.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { mustBeInvestigated } from './advice.ts';

/**
 * Rows of one kind that the summary shows; the CSV files hold all. A page of 100,000 rows has 12
 * MB.
 */
export const ROWS_SHOWN_MAX = 1_000;

/** The first rows of each kind that a person wants to see, for the summary. */
export type Excerpt = Readonly<{
  failed: readonly ReportRow[];
  /** All rows that failed, counted by the resend that has them; undefined: none has. */
  failedBy: ReadonlyMap<string | undefined, number>;
  investigate: readonly ReportRow[];
  refused: readonly RefusedRow[];
}>;

export function createExcerpt(): Excerpt &
  Readonly<{ addRow(row: ReportRow): void; addRefused(refused: RefusedRow): void }> {
  const failed: ReportRow[] = [];
  const failedBy = new Map<string | undefined, number>();
  const investigate: ReportRow[] = [];
  const refused: RefusedRow[] = [];
  const addTo = <Item>(items: Item[], item: Item): void => {
    if (items.length < ROWS_SHOWN_MAX) items.push(item);
  };
  return {
    failed,
    failedBy,
    investigate,
    refused,
    addRow(row) {
      if (row.outcome === 'FAILED') {
        addTo(failed, row);
        failedBy.set(row.resentAs, (failedBy.get(row.resentAs) ?? 0) + 1);
      }
      if (mustBeInvestigated(row)) addTo(investigate, row);
    },
    addRefused: (reason) => addTo(refused, reason),
  };
}
