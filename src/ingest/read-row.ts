import type { CurrencyInfo } from '../domain/currencies/currency-info.ts';
import { shortDecimal } from '../domain/money/stored-number.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { refusedRow } from '../domain/rows/row-rules-problem.ts';
import { VALUE_CHARS_MAX } from '../domain/rows/row-rules-text.ts';
import {
  type AcceptedRow,
  checkRow,
  type RowCells,
  type RowRefusal,
} from '../domain/rows/row-rules.ts';
import type { Row, RowNumber } from '../domain/rows/row.ts';
import { TOTAL_WORD_CHARS_MAX, type TotalRow, totalOf } from '../domain/rows/total-row.ts';
import { withPoint } from '../domain/rows/decimal-comma.ts';
import { cellAt, doubtsOf, isCalculated, withDoubts } from './row-doubts.ts';
import type { TableLayout } from './header.ts';
import type { ReferenceRule } from './reference-rule.ts';
import type { RawRow } from './table-block.ts';
import { trimSpaces } from './trim-spaces.ts';

type RowResult = AcceptedRow | RowRefusal;

/** The lines of a row that probably swallowed others. */
export type SwallowedRows = Readonly<{ line: number; lastLine: number }>;

/** A row that is a total when no row follows it, and else refused. */
export type PossibleTotal = Readonly<{ total: TotalRow; reasons: readonly RefusedRow[] }>;

export type ReadResult = RowResult | SwallowedRows | PossibleTotal;

/** Reads rows by all rules. */
export type RowReader = Readonly<{
  /** Returns undefined for a row without a value. */
  read(raw: RawRow, layout: TableLayout): ReadResult | undefined;
  /** Applies the rules again to a row of an earlier import. */
  check(row: Row): RowResult;
}>;

export const isSwallowed = (result: ReadResult): result is SwallowedRows => 'lastLine' in result;

export const isPossibleTotal = (result: ReadResult): result is PossibleTotal => 'total' in result;

type ReaderParts = Readonly<{
  /** The currency of rows without one; empty for none. */
  defaultCurrency: string;
  /** Returns the facts about a text in the currency column; undefined when it is no currency. */
  infoOf(text: string, row: RowNumber): CurrencyInfo | undefined;
  references: ReferenceRule;
}>;

export function createRowReader({ defaultCurrency, infoOf, references }: ReaderParts): RowReader {
  const check = (line: RowNumber, texts: RowCells): RowResult =>
    references.apply(texts.reference, line, checkRow(line, texts, infoOf(texts.currency, line)));
  return {
    read(raw, layout) {
      const { cells, line } = raw;
      const { width, delimiter } = layout;
      if (cells.every(isEmpty)) return undefined;
      const swallowed = raw.lineCount > 1 ? swallowedRows(raw, delimiter) : undefined;
      if (swallowed !== undefined) return swallowed;
      if (cells.length !== width) return wrongFieldCount(raw, width, delimiter);
      const texts = textsOf(cells, layout, defaultCurrency);
      const doubts = doubtsOf(raw, layout);
      const checked = check(line, texts);
      const result = doubts === undefined ? checked : withDoubts(checked, doubts, { line, texts });
      if (result.ok && texts.address.length > TOTAL_WORD_CHARS_MAX) return result;
      return possibleTotal(raw, { layout, texts, result }) ?? result;
    },
    check: ({ row, ...texts }) => check(row, texts),
  };
}

const isEmpty = (cell: string): boolean => trimSpaces(cell) === '';

function textsOf(
  cells: readonly string[],
  { positions, decimalComma }: TableLayout,
  defaultCurrency: string,
): RowCells {
  const amount = cellAt(cells, positions.amount);
  return {
    address: cellAt(cells, positions.address),
    amount: decimalComma ? withPoint(amount) : amount,
    currency: cellAt(cells, positions.currency) || defaultCurrency,
    comment: cellAt(cells, positions.comment),
    reference: cellAt(cells, positions.reference),
    name: cellAt(cells, positions.name),
  };
}

type CheckedRow = Readonly<{ layout: TableLayout; texts: RowCells; result: RowResult }>;

/** A row with a word for a total. The total of a sheet is usually a formula, and is only compared. */
function possibleTotal(
  { cells, line, doubts }: RawRow,
  { layout: { positions }, texts, result }: CheckedRow,
): PossibleTotal | undefined {
  const all = cells.map(trimSpaces);
  const amount = isCalculated(doubts?.get(positions.amount))
    ? shortDecimal(texts.amount)
    : texts.amount;
  const currency = cellAt(cells, positions.currency);
  const total = totalOf(line, { all, address: texts.address, amount, currency });
  if (total === undefined) return undefined;
  return { total, reasons: result.ok ? [notAnAddress(line, texts.address)] : result.reasons };
}

const notAnAddress = (row: RowNumber, text: string): RefusedRow =>
  refusedRow({
    row,
    column: 'address',
    code: 'ADDRESS_INVALID',
    facts: { text, network: 'any network', reason: 'it is a word for a total' },
    value: text,
  });

function wrongFieldCount({ cells, line }: RawRow, expected: number, delimiter: string): RowRefusal {
  const facts = { expected, found: cells.length };
  const value = cells.join(delimiter).slice(0, VALUE_CHARS_MAX);
  const reason = refusedRow({ row: line, column: 'row', code: 'FIELD_COUNT_WRONG', facts, value });
  return { ok: false, reasons: [reason] };
}

/**
 * Returns the lines of a row if an unclosed quote in it has probably swallowed rows.
 * Example: row 3 opens a quote in its second cell and never closes it. Row 5 has another quote
 * there. Rows 3 to 5 then look like one row with a cell of three lines. The last line of this cell
 * is the start of row 5, so it has as many delimiters as stand before the cell.
 * A row with all cells in quotes is exempt: there the scan already refuses an unclosed quote.
 */
function swallowedRows(
  { cells, line: firstLine, isAllQuoted }: RawRow,
  delimiter: string,
): SwallowedRows | undefined {
  if (isAllQuoted) return undefined;
  let line = firstLine;
  for (const [position, cell] of cells.entries()) {
    const cellLines = cell.split('\n');
    const lastLine = line + cellLines.length - 1;
    const delimiters = (cellLines.at(-1) ?? '').split(delimiter).length - 1;
    if (cellLines.length > 1 && delimiters >= Math.max(1, position)) return { line, lastLine };
    line = lastLine;
  }
  return undefined;
}
