import { BursarError } from '../domain/errors/bursar-error.ts';
import type { RawRow } from './read-table.ts';

/**
 * Refuses a file in which an unclosed quote has swallowed rows.
 * Example: row 3 opens a quote in its second cell and never closes it. Row 5 has another quote
 * there. Rows 3 to 5 then look like one row with a cell of three lines. The last line of this cell
 * is the start of row 5, so it has as many delimiters as stand before the cell.
 * A row with all cells in quotes is exempt: there the scan already refuses an unclosed quote.
 * @throws QUOTE_OVER_ROWS for the whole file, because the swallowed rows would be in no list.
 */
export function assertNoSwallowedRows(
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
