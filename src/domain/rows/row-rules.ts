import type { CurrencyInfo } from '../currencies/currency-info.ts';
import type { Amount } from '../money/amount.ts';
import type { RefusedRow } from './refused-row.ts';
import { COLUMNS, type RowColumn, type Row, type RowNumber } from './row.ts';
import { checkAddressCell, type PayableAddress } from './row-rules-address.ts';
import { checkAmount } from './row-rules-amount.ts';
import { type Problem, problem } from './row-rules-problem.ts';
import { checkFreeText, plainTextProblem, tooLong, VALUE_CHARS_MAX } from './row-rules-text.ts';

/** The cells of one row, without the spaces around them; a column that the file lacks is empty. */
export type RowCells = Readonly<Record<RowColumn, string>>;

/** A row that can be paid, with the results of its checks. */
export type AcceptedRow = Readonly<{
  ok: true;
  row: Row;
  amount: Amount;
  address: PayableAddress;
  info: CurrencyInfo;
}>;

/** Every reason why a row cannot be paid, in the order of the columns; never none. */
export type RowRefusal = Readonly<{ ok: false; reasons: readonly RefusedRow[] }>;

/** Checks one row by all rules. `info`: the facts about its currency; missing when the cell holds no currency. */
export function checkRow(
  row: RowNumber,
  cells: RowCells,
  info: CurrencyInfo | undefined,
): AcceptedRow | RowRefusal {
  const address = checkAddressCell(cells.address, info?.network);
  const amount = checkAmount(cells.amount, cells.currency, info);
  const comment = checkFreeText('comment', cells.comment);
  const reference = checkFreeText('reference', cells.reference);
  const name = checkFreeText('name', cells.name);
  if (info !== undefined && address.ok && amount.ok && !comment && !reference && !name) {
    return {
      ok: true,
      row: payableRow(row, cells, amount.text),
      amount: amount.amount,
      address,
      info,
    };
  }
  const currency = info === undefined ? currencyProblem(cells.currency) : undefined;
  const verdicts = { address, amount, currency, comment, reference, name };
  const readable = {
    ...(amount.ok ? { amount: amount.text } : {}),
    ...(info === undefined ? {} : { currency: cells.currency }),
  };
  const reasons = COLUMNS.flatMap((column): RefusedRow[] => {
    const verdict = verdicts[column];
    if (verdict === undefined || verdict.ok) return [];
    const value = cells[column].slice(0, VALUE_CHARS_MAX);
    return [{ row, column, code: verdict.code, facts: verdict.facts, value, ...readable }];
  });
  return { ok: false, reasons };
}

/** Written out, because spreading `cells` would take as long as all the rules together. */
const payableRow = (row: RowNumber, cells: RowCells, amount: string): Row => ({
  row,
  address: cells.address,
  amount,
  currency: cells.currency,
  comment: cells.comment,
  reference: cells.reference,
  name: cells.name,
});

const currencyProblem = (text: string): Problem => {
  if (text === '') return problem('CURRENCY_MISSING', {});
  return (
    tooLong('currency', text) ??
    plainTextProblem('currency', text) ??
    problem('CURRENCY_MALFORMED', { text })
  );
};
