import { closingQuote } from './scan-rows.ts';

const QUOTE = 0x22;

/**
 * Splits a row, without its line end, into cells. `scanRows` must have accepted the row: a quoted
 * cell ends at a delimiter or at the end of the row.
 */
export function splitRow(row: string, delimiter: string): string[] {
  const cells: string[] = [];
  let start = 0;
  for (;;) {
    const isQuoted = row.charCodeAt(start) === QUOTE;
    const end = isQuoted ? quotedEnd(row, start, delimiter) : plainEnd(row, start, delimiter);
    cells.push(isQuoted ? unquoted(row.slice(start + 1, end - 1)) : row.slice(start, end));
    if (end === row.length) return cells;
    start = end + 1;
  }
}

function plainEnd(row: string, start: number, delimiter: string): number {
  const end = row.indexOf(delimiter, start);
  return end === -1 ? row.length : end;
}

function quotedEnd(row: string, start: number, delimiter: string): number {
  const close = closingQuote(row, start);
  const end = close + 1;
  if (close !== -1 && (end === row.length || row[end] === delimiter)) return end;
  throw new Error('the scan accepted a quoted cell without an end');
}

const unquoted = (text: string): string => (text.includes('"') ? text.replaceAll('""', '"') : text);
