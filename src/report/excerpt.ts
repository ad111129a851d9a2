import type { ReportRow } from '../domain/report/report.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { needsInvestigation } from './row-advice.ts';

/**
 * Rows of one kind on the summary page. The CSV files hold all rows: a page of 100,000 has 12 MB.
 */
export const ROWS_SHOWN_MAX = 1_000;

/** The first failed, uncertain and refused rows, for the summary page. */
export type Excerpt = Readonly<{
  failed: readonly ReportRow[];
  /**
   * Number of failed rows by the resend that holds them. The key undefined counts those in none.
   */
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
      if (needsInvestigation(row)) addTo(investigate, row);
    },
    addRefused: (reason) => addTo(refused, reason),
  };
}
