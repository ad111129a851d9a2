import type { CurrencyInfo } from '../domain/currencies/currency-info.ts';
import { refusedRow } from '../domain/rows/row-rules-problem.ts';
import { VALUE_CHARS_MAX } from '../domain/rows/row-rules-text.ts';
import {
  type AcceptedRow,
  checkRow,
  type RowCells,
  type RowRefusal,
} from '../domain/rows/row-rules.ts';
import type { Row, RowNumber } from '../domain/rows/row.ts';
import type { TableLayout } from './header.ts';
import type { ReferenceRule } from './reference-rule.ts';
import type { RawRow } from './table-block.ts';
import { trimSpaces } from './trim-spaces.ts';

type RowResult = AcceptedRow | RowRefusal;

/** The lines of a row that probably swallowed others. */
export type SwallowedRows = Readonly<{ line: number; lastLine: number }>;

/** Reads rows by all rules. */
export type RowReader = Readonly<{
  /** Returns undefined for a row without a value. */
  read(raw: RawRow, layout: TableLayout): RowResult | SwallowedRows | undefined;
  /** Applies the rules again to a row of an earlier import. */
  check(row: Row): RowResult;
}>;

export const isSwallowed = (result: RowResult | SwallowedRows): result is SwallowedRows =>
  'lastLine' in result;

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
    read(raw, { width, positions, delimiter }) {
      const { cells, line } = raw;
      if (cells.every(isEmpty)) return undefined;
      const swallowed = raw.lineCount > 1 ? swallowedRows(raw, delimiter) : undefined;
      if (swallowed !== undefined) return swallowed;
      if (cells.length !== width) return wrongFieldCount(raw, width, delimiter);
      return check(line, {
        address: cellAt(cells, positions.address),
        amount: cellAt(cells, positions.amount),
        currency: cellAt(cells, positions.currency) || defaultCurrency,
        comment: cellAt(cells, positions.comment),
        reference: cellAt(cells, positions.reference),
      });
    },
    check: ({ row, ...texts }) => check(row, texts),
  };
}

const isEmpty = (cell: string): boolean => trimSpaces(cell) === '';

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
