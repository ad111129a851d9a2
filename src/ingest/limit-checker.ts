import {
  type Amount,
  addAmounts,
  compareAmounts,
  formatAmount,
  parseAmount,
} from '../domain/money/amount.ts';
import type { Money, RowLimits } from '../domain/plan/rules.ts';
import type { Row } from '../domain/rows/row.ts';
import { detached } from './detached.ts';
import type { FindingCollector } from './finding-collector.ts';

/**
 * Compares rows with limits, in exact sums. It keeps recipients only when a recipient limit is set.
 */
export type LimitChecker = Readonly<{
  /** Checks the limit of one row, and adds the row to its recipient. */
  take(row: Row, amount: Amount, canonical: string): void;
  /** Checks the limits of recipients. Call it once, after the last row. */
  close(): void;
}>;

type RecipientTotal = { total: Amount; rows: number; readonly firstRow: number };

export function createLimitChecker(limits: RowLimits, findings: FindingCollector): LimitChecker {
  const rowLimits = amountsByCurrency(limits.row);
  const recipientLimits = amountsByCurrency(limits.payee);
  const recipients = new Map<string, Map<string, RecipientTotal>>(
    [...recipientLimits.keys()].map((currency) => [currency, new Map()]),
  );

  function checkRow({ row, address, amount: text, currency }: Row, amount: Amount): void {
    const limit = rowLimits.get(currency);
    if (limit === undefined || compareAmounts(amount, limit) <= 0) return;
    const detail = `${text} ${currency} to ${address}; the limit is ${formatAmount(limit)}`;
    findings.add('LIMIT_ROW', { row, detail });
  }

  function addToRecipient({ row, currency }: Row, amount: Amount, canonical: string): void {
    const ofCurrency = recipients.get(currency);
    if (ofCurrency === undefined) return;
    const recipient = ofCurrency.get(canonical);
    if (recipient === undefined) {
      ofCurrency.set(detached(canonical), { total: amount, rows: 1, firstRow: row });
    } else {
      recipient.total = addAmounts(recipient.total, amount);
      recipient.rows += 1;
    }
  }

  return {
    take(row, amount, canonical) {
      if (rowLimits.size > 0) checkRow(row, amount);
      if (recipients.size > 0) addToRecipient(row, amount, canonical);
    },
    close() {
      for (const [currency, limit] of recipientLimits) {
        for (const [address, recipient] of recipients.get(currency) ?? []) {
          if (compareAmounts(recipient.total, limit) <= 0) continue;
          const total = `${formatAmount(recipient.total)} ${currency} in ${recipient.rows} rows`;
          const detail = `${total} to ${address}; the limit is ${formatAmount(limit)}`;
          findings.add('LIMIT_PAYEE', { row: recipient.firstRow, detail }, recipient.rows);
        }
      }
    },
  };
}

/** Returns the lowest limit of each currency. */
function amountsByCurrency(limits: readonly Money[]): ReadonlyMap<string, Amount> {
  const amounts = new Map<string, Amount>();
  for (const { currency, amount: text } of limits) {
    const amount = parseAmount(text);
    const lowest = amounts.get(currency);
    if (lowest === undefined || compareAmounts(amount, lowest) < 0) amounts.set(currency, amount);
  }
  return amounts;
}
