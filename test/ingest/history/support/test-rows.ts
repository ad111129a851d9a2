import { identitiesOf } from '../../../../src/domain/payees/identity.ts';
import {
  type PrintSegment,
  printRows,
  printSpaceOf,
} from '../../../../src/domain/plan/row-print.ts';
import type { Row } from '../../../../src/domain/rows/row.ts';
import type { PastBatch } from '../../../../src/store/rows/fingerprints.ts';
import type { PastSegment } from '../../../../src/store/rows/paid-fingerprints.ts';

/** A row in a test. */
export type Paid = Readonly<{
  address: string;
  amount: string;
  currency?: string;
  row?: number;
  reference?: string;
  name?: string;
}>;

/** Returns the fingerprints of rows by currency. Rows are numbered from 2, as in a file. */
export function segmentsOf(rows: readonly Paid[]): PrintSegment[] {
  const numbered = wholeRows(rows);
  const currencies = [...new Set(numbered.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const ofCurrency = numbered.filter((row) => row.currency === currency);
    const identities = identitiesOf(printSpaceOf(currency), ofCurrency);
    return { currency, prints: printRows(currency, ofCurrency), identities };
  });
}

/** The same rows with all their fields. */
const wholeRows = (rows: readonly Paid[]): Row[] =>
  rows.map((row, i) => ({
    ...{ currency: 'USDT_ERC20', row: i + 2, comment: '', reference: '', name: '' },
    ...row,
  }));

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
    rowsAt: async (numbers) => wholeRows(rows).filter(({ row }) => numbers.includes(row)),
  };
}

async function* asyncOf<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}
