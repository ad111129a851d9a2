import type { Row, RowNumber } from '../domain/rows/row.ts';
import {
  type AcceptedRow,
  checkRow,
  type RowCells,
  type RowRefusal,
} from '../domain/rows/row-rules.ts';
import { refusedRow } from '../domain/rows/row-rules-problem.ts';
import { VALUE_CHARS_MAX } from '../domain/rows/row-rules-text.ts';
import { createCurrencyBook } from './currency-book.ts';
import type { Layout } from './header.ts';
import { assertOneRow } from './one-row.ts';
import type { RawRow } from './read-table.ts';
import { createReferenceRule } from './reference-rule.ts';
import { trimSpaces } from './trim-spaces.ts';

type Verdict = AcceptedRow | RowRefusal;

export type RowReader = ((raw: RawRow, layout: Layout) => Verdict | undefined) &
  Readonly<{
    /** Holds a row that was read before against all the rules once more. */
    again(row: Row): Verdict;
  }>;

/**
 * Reads the rows of a file, each by all the rules. Gives undefined for a blank line, which is no row.
 * Throws QUOTE_OVER_ROWS and FILE_TOO_MANY_CURRENCIES.
 */
export function createRowReader({
  file,
  defaultCurrency,
}: Readonly<{ file: string; defaultCurrency: string }>): RowReader {
  const infoOf = createCurrencyBook(file);
  const withReferenceRule = createReferenceRule();
  const check = (line: RowNumber, texts: RowCells): Verdict =>
    withReferenceRule(texts.reference, line, checkRow(line, texts, infoOf(texts.currency, line)));
  const read = (raw: RawRow, { width, places, delimiter }: Layout): Verdict | undefined => {
    const { cells, line } = raw;
    if (cells.length === 1 && trimSpaces(cells[0] ?? '') === '') return undefined;
    if (raw.lineCount > 1) assertOneRow(raw, delimiter, file);
    if (cells.length !== width) return wrongFieldCount(raw, width, delimiter);
    const currency = cellAt(cells, places.currency) || defaultCurrency;
    return check(line, {
      address: cellAt(cells, places.address),
      amount: cellAt(cells, places.amount),
      currency,
      comment: cellAt(cells, places.comment),
      reference: cellAt(cells, places.reference),
    });
  };
  return Object.assign(read, { again: ({ row, ...texts }: Row) => check(row, texts) });
}

/** A column that the file lacks has place -1, and is empty in every row. */
const cellAt = (cells: readonly string[], place: number): string =>
  place === -1 ? '' : trimSpaces(cells[place] ?? '');

function wrongFieldCount({ cells, line }: RawRow, expected: number, delimiter: string): RowRefusal {
  const facts = { expected, found: cells.length };
  const value = cells.join(delimiter).slice(0, VALUE_CHARS_MAX);
  const reason = refusedRow({ row: line, column: 'row', code: 'FIELD_COUNT_WRONG', facts, value });
  return { ok: false, reasons: [reason] };
}
