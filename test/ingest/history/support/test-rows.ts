import { type PrintSegment, printRows } from '../../../../src/domain/plan/row-print.ts';
import type { PastBatch } from '../../../../src/store/rows/fingerprints.ts';
import type { PastSegment } from '../../../../src/store/rows/paid-fingerprints.ts';

/** A row in a test. */
export type Paid = Readonly<{ address: string; amount: string; currency?: string; row?: number }>;

/** Returns the fingerprints of rows by currency. Rows are numbered from 2, as in a file. */
export function segmentsOf(rows: readonly Paid[]): PrintSegment[] {
  const numbered = rows.map((row, i) => ({ currency: 'USDT_ERC20', row: i + 2, ...row }));
  const currencies = [...new Set(numbered.map(({ currency }) => currency))];
  return currencies.map((currency) => ({
    currency,
    prints: printRows(
      currency,
      numbered
        .filter((row) => row.currency === currency)
        .map((row) => ({ ...row, comment: '', reference: '', name: '' })),
    ),
  }));
}

export const NOW_MS = Date.UTC(2026, 10, 21);
export const DAY_MS = 86_400_000;

/** Makes another batch. Default: it was sent today. */
export function pastBatch(
  batchId: string,
  rows: readonly Paid[],
  more: Readonly<{ sent?: boolean; daysAgo?: number }> = {},
): PastBatch {
  const { sent = true, daysAgo = 0 } = more;
  const segments: PastSegment[] = segmentsOf(rows).map((segment) => ({ ...segment, sent }));
  return {
    batchId,
    payAtMs: NOW_MS - daysAgo * DAY_MS,
    rows: rows.length,
    segments: () => asyncOf(segments),
  };
}

async function* asyncOf<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}
