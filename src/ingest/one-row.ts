import { BursarError } from '../domain/errors/bursar-error.ts';
import type { RawRow } from './read-table.ts';

/**
 * A quote that was opened and never closed can meet a second one rows later, and all between them looks like one cell
 * of many lines. Then that cell's last line is the start of another row: it has as many delimiters as stand before the
 * cell in its own. Throws QUOTE_OVER_ROWS. It concerns the whole file, because the swallowed rows would be in no list.
 * A row with every cell in quotes comes from a program that quotes all, such as the one that writes resend.csv. There
 * the next quote after one that was never closed opens the first cell of the next row, and the scan has refused that.
 */
export function assertOneRow(
  { cells, line: firstLine, isAllQuoted }: RawRow,
  delimiter: string,
  file: string,
): void {
  if (isAllQuoted) return;
  let line = firstLine;
  cells.forEach((cell, place) => {
    const cellLines = cell.split('\n');
    const lastLine = line + cellLines.length - 1;
    const delimiters = (cellLines.at(-1) ?? '').split(delimiter).length - 1;
    if (cellLines.length > 1 && delimiters >= Math.max(1, place)) {
      throw new BursarError('QUOTE_OVER_ROWS', { file, line, lastLine });
    }
    line = lastLine;
  });
}
