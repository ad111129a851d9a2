import {
  type Amount,
  addAmounts,
  compareAmounts,
  formatAmount,
  parseAmount,
} from '../domain/money/amount.ts';
import { parseSignedAmount } from '../domain/money/signed-amount.ts';
import type { Money } from '../domain/plan/rules.ts';
import type { AcceptedRow } from '../domain/rows/row-rules.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import { detached } from './detached.ts';
import type { FindingCollector } from './finding-collector.ts';
import { amountText, moneyText } from '../domain/text/money-text.ts';

/** The sum of the rows of one recipient in one currency. `total`: canonical decimal text. */
export type RecipientSum = Readonly<{
  currency: string;
  /** The canonical address. */
  canonical: string;
  total: string;
  rows: number;
  firstRow: RowNumber;
}>;

type RecipientTotal = { total: Amount; rows: number; readonly firstRow: RowNumber };

/** The totals of recipients, by currency and canonical address. */
type Recipients = ReadonlyMap<string, Map<string, RecipientTotal>>;

/**
 * Returns a function that compares one row with the limit of its currency, and adds the finding
 * LIMIT_ROW.
 */
export function createRowLimit(
  limits: readonly Money[],
): (row: AcceptedRow, findings: FindingCollector) => void {
  const limitOf = amountsByCurrency(limits);
  return ({ row: { row, address, amount: text, currency }, amount }, findings) => {
    const limit = limitOf.get(currency);
    if (limit === undefined || compareAmounts(amount, limit) <= 0) return;
    const most = amountText(formatAmount(limit), currency);
    const detail = `${moneyText(text, currency)} to ${address}; the limit is ${most}`;
    findings.add('LIMIT_ROW', { row, detail });
  };
}

/** Sums the rows of recipients, in the currencies that have a limit. */
export function createRecipientSums(limits: readonly Money[]) {
  const recipients = recipientsOf(limits);
  return {
    add(rows: readonly AcceptedRow[]): void {
      if (recipients.size === 0) return;
      for (const { row, amount, address } of rows) {
        const one = { total: amount, rows: 1, firstRow: row.row };
        addTo(recipients.get(row.currency), address.canonical, one);
      }
    },
    sums: (): RecipientSum[] =>
      [...recipients].flatMap(([currency, ofCurrency]) =>
        [...ofCurrency].map(([canonical, { total, rows, firstRow }]) => ({
          currency,
          canonical,
          total: formatAmount(total),
          rows,
          firstRow,
        })),
      ),
  };
}

/** Compares all rows of a recipient with a limit. It keeps recipients only when a limit is set. */
export type RecipientLimits = Readonly<{
  /** Takes the sums of the next rows. */
  add(sums: readonly RecipientSum[]): void;
  /** Adds the findings LIMIT_PAYEE. Call it once, after the last row. */
  close(findings: FindingCollector): void;
}>;

export function createRecipientLimits(limits: readonly Money[]): RecipientLimits {
  const recipients = recipientsOf(limits);
  return {
    add(sums) {
      for (const { currency, canonical, total, rows, firstRow } of sums) {
        addTo(recipients.get(currency), canonical, {
          total: parseSignedAmount(total),
          rows,
          firstRow,
        });
      }
    },
    close(findings) {
      for (const [currency, limit] of amountsByCurrency(limits)) {
        for (const [address, recipient] of recipients.get(currency) ?? []) {
          if (compareAmounts(recipient.total, limit) <= 0) continue;
          const sum = moneyText(formatAmount(recipient.total), currency);
          const total = `${sum} in ${recipient.rows} rows`;
          const most = amountText(formatAmount(limit), currency);
          const detail = `${total} to ${address}; the limit is ${most}`;
          findings.add('LIMIT_PAYEE', { row: recipient.firstRow, detail }, recipient.rows);
        }
      }
    },
  };
}

const recipientsOf = (limits: readonly Money[]): Recipients =>
  new Map(limits.map(({ currency }) => [currency, new Map<string, RecipientTotal>()]));

function addTo(
  ofCurrency: Map<string, RecipientTotal> | undefined,
  canonical: string,
  { total, rows, firstRow }: Readonly<RecipientTotal>,
): void {
  if (ofCurrency === undefined) return;
  const recipient = ofCurrency.get(canonical);
  if (recipient === undefined) {
    ofCurrency.set(detached(canonical), { total, rows, firstRow });
  } else {
    recipient.total = addAmounts(recipient.total, total);
    recipient.rows += rows;
  }
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
