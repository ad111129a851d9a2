import { type CurrencyInfo, currencyInfo, isCurrency } from '../domain/currencies/currency-info.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { refusedRow } from '../domain/rows/row-rules-problem.ts';
import { VALUE_CHARS_MAX } from '../domain/rows/row-rules-text.ts';
import {
  type AcceptedRow,
  checkRow,
  type RowCells,
  type RowRefusal,
} from '../domain/rows/row-rules.ts';
import type { Row, RowNumber } from '../domain/rows/row.ts';
import { detached } from './detached.ts';
import type { TableLayout } from './header.ts';
import { CURRENCIES_MAX } from './limits.ts';
import type { RawRow } from './read-table.ts';
import { createReferenceRule } from './reference-rule.ts';
import { trimSpaces } from './trim-spaces.ts';

type RowResult = AcceptedRow | RowRefusal;

export type RowReader = ((raw: RawRow, layout: TableLayout) => RowResult | undefined) &
  Readonly<{
    /** Applies all rules again to a row of an earlier import. */
    check(row: Row): RowResult;
  }>;

/**
 * Returns a function that reads a row by all rules. It returns undefined for a blank line.
 * @throws QUOTE_OVER_ROWS, FILE_TOO_MANY_CURRENCIES.
 */
export function createRowReader({
  file,
  defaultCurrency,
}: Readonly<{ file: string; defaultCurrency: string }>): RowReader {
  const infoOf = createCurrencyCache(file);
  const withReferenceRule = createReferenceRule();
  const check = (line: RowNumber, texts: RowCells): RowResult =>
    withReferenceRule(texts.reference, line, checkRow(line, texts, infoOf(texts.currency, line)));
  const read = (
    raw: RawRow,
    { width, positions, delimiter }: TableLayout,
  ): RowResult | undefined => {
    const { cells, line } = raw;
    if (cells.length === 1 && trimSpaces(cells[0] ?? '') === '') return undefined;
    if (raw.lineCount > 1) assertNoSwallowedRows(raw, delimiter, file);
    if (cells.length !== width) return wrongFieldCount(raw, width, delimiter);
    const currency = cellAt(cells, positions.currency) || defaultCurrency;
    return check(line, {
      address: cellAt(cells, positions.address),
      amount: cellAt(cells, positions.amount),
      currency,
      comment: cellAt(cells, positions.comment),
      reference: cellAt(cells, positions.reference),
    });
  };
  return Object.assign(read, { check: ({ row, ...texts }: Row) => check(row, texts) });
}

/** Returns the cell at a position. A missing column has position -1, and empty cells. */
const cellAt = (cells: readonly string[], position: number): string =>
  position === -1 ? '' : trimSpaces(cells[position] ?? '');

function wrongFieldCount({ cells, line }: RawRow, expected: number, delimiter: string): RowRefusal {
  const facts = { expected, found: cells.length };
  const value = cells.join(delimiter).slice(0, VALUE_CHARS_MAX);
  const reason = refusedRow({ row: line, column: 'row', code: 'FIELD_COUNT_WRONG', facts, value });
  return { ok: false, reasons: [reason] };
}

/**
 * Returns a function from text to currency, which reads each currency once.
 * It returns undefined for a text that is not a currency.
 * @throws FILE_TOO_MANY_CURRENCIES, because each currency of a file keeps one chunk open.
 */
function createCurrencyCache(
  file: string,
): (text: string, line: number) => CurrencyInfo | undefined {
  const infos = new Map<string, CurrencyInfo>();
  return (text, line) => {
    const cached = infos.get(text);
    if (cached !== undefined || !isCurrency(text)) return cached;
    if (infos.size === CURRENCIES_MAX) {
      throw new BursarError('FILE_TOO_MANY_CURRENCIES', { file, max: CURRENCIES_MAX, line });
    }
    const currency = detached(text);
    const info = currencyInfo(currency);
    infos.set(currency, info);
    return info;
  };
}

/**
 * Refuses a file in which an unclosed quote has swallowed rows.
 * Example: row 3 opens a quote in its second cell and never closes it. Row 5 has another quote
 * there. Rows 3 to 5 then look like one row with a cell of three lines. The last line of this cell
 * is the start of row 5, so it has as many delimiters as stand before the cell.
 * A row with all cells in quotes is exempt: there the scan already refuses an unclosed quote.
 * @throws QUOTE_OVER_ROWS for the whole file, because the swallowed rows would be in no list.
 */
function assertNoSwallowedRows(
  { cells, line: firstLine, isAllQuoted }: RawRow,
  delimiter: string,
  file: string,
): void {
  if (isAllQuoted) return;
  let line = firstLine;
  cells.forEach((cell, position) => {
    const cellLines = cell.split('\n');
    const lastLine = line + cellLines.length - 1;
    const delimiters = (cellLines.at(-1) ?? '').split(delimiter).length - 1;
    if (cellLines.length > 1 && delimiters >= Math.max(1, position)) {
      throw new BursarError('QUOTE_OVER_ROWS', { file, line, lastLine });
    }
    line = lastLine;
  });
}
