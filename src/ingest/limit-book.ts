import {
  type Amount,
  addAmounts,
  compareAmounts,
  formatAmount,
  parseAmount,
} from '../domain/money/amount.ts';
import type { Money } from '../domain/plan/rules.ts';
import type { Row } from '../domain/rows/row.ts';
import type { RowLimits } from '../domain/rows/staging.ts';
import { detached } from './detached.ts';
import type { FindingBook } from './finding-book.ts';

/** Holds rows against limits, exactly. Without a limit for a payee it keeps nothing of them. */
export type LimitBook = Readonly<{
  take(row: Row, amount: Amount, canonical: string): void;
  /** The sums of recipients once all rows were taken; call it once. */
  close(): void;
}>;

type Payee = { total: Amount; rows: number; readonly firstRow: number };

export function createLimitBook(limits: RowLimits, findings: FindingBook): LimitBook {
  const rowLimits = amountsByCurrency(limits.row);
  const payeeLimits = amountsByCurrency(limits.payee);
  const payees = new Map<string, Map<string, Payee>>(
    [...payeeLimits.keys()].map((currency) => [currency, new Map()]),
  );

  function checkRow({ row, address, amount: text, currency }: Row, amount: Amount): void {
    const limit = rowLimits.get(currency);
    if (limit === undefined || compareAmounts(amount, limit) <= 0) return;
    const detail = `${text} ${currency} to ${address}; the limit is ${formatAmount(limit)}`;
    findings.note('LIMIT_ROW', { row, detail });
  }

  function addToPayee({ row, currency }: Row, amount: Amount, canonical: string): void {
    const known = payees.get(currency);
    if (known === undefined) return;
    const payee = known.get(canonical);
    if (payee === undefined) {
      known.set(detached(canonical), { total: amount, rows: 1, firstRow: row });
    } else {
      payee.total = addAmounts(payee.total, amount);
      payee.rows += 1;
    }
  }

  return {
    take(row, amount, canonical) {
      if (rowLimits.size > 0) checkRow(row, amount);
      if (payees.size > 0) addToPayee(row, amount, canonical);
    },
    close() {
      for (const [currency, limit] of payeeLimits) {
        for (const [address, payee] of payees.get(currency) ?? []) {
          if (compareAmounts(payee.total, limit) <= 0) continue;
          const total = `${formatAmount(payee.total)} ${currency} in ${payee.rows} rows`;
          const detail = `${total} to ${address}; the limit is ${formatAmount(limit)}`;
          findings.note('LIMIT_PAYEE', { row: payee.firstRow, detail }, payee.rows);
        }
      }
    },
  };
}

/** Of several limits of one currency the lowest counts. */
function amountsByCurrency(limits: readonly Money[]): ReadonlyMap<string, Amount> {
  const amounts = new Map<string, Amount>();
  for (const { currency, amount: text } of limits) {
    const amount = parseAmount(text);
    const known = amounts.get(currency);
    if (known === undefined || compareAmounts(amount, known) < 0) amounts.set(currency, amount);
  }
  return amounts;
}
