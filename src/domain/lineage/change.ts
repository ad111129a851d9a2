import { addAmounts, formatAmount, parseAmount, subtractAmounts } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { CurrencyAmounts, RowCounts, Totals } from '../report/totals.ts';
import type { RowNumber } from '../rows/row.ts';
import type { Outcome } from '../settling/outcome.ts';

/** A row whose outcome differs from the report before. `amount` is canonical decimal text. */
export type ReportedChange = Readonly<{
  row: RowNumber;
  currency: string;
  amount: string;
  before: Outcome;
  after: Outcome;
}>;

const FIELD_OF = {
  PAID: 'paid',
  FAILED: 'failed',
  UNKNOWN: 'unknown',
  NOT_SENT: 'notSent',
  IN_FLIGHT: 'inFlight',
} as const satisfies Record<Outcome, keyof RowCounts & keyof CurrencyAmounts>;

/** The totals as they were before these changes: counted back, so that the two can never disagree. */
export function totalsBefore(after: Totals, changes: readonly ReportedChange[]): Totals {
  const rows = { ...after.rows };
  const lines = new Map(after.amounts.map((line) => [line.currency, { ...line }]));
  for (const { currency, amount, before, after: now } of changes) {
    rows[FIELD_OF[now]] -= 1;
    rows[FIELD_OF[before]] += 1;
    const line = lines.get(currency);
    if (line === undefined) throw new Error(`the file has no ${currency}`);
    const [from, to] = [FIELD_OF[now], FIELD_OF[before]];
    const moved = parseAmount(amount);
    line[from] = formatAmount(subtractAmounts(parseSignedAmount(line[from]), moved));
    line[to] = formatAmount(addAmounts(parseSignedAmount(line[to]), moved));
  }
  return { rows, amounts: [...lines.values()] };
}
