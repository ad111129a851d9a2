import { ROW_CHARS_MAX } from './limits.ts';

/** The rows of a text, before they are split into cells. */
export type RowScan = Readonly<{
  /** The first line of each complete row. */
  lines: readonly number[];
  /** Number of quoted cells of each complete row of several lines, by its first line. */
  quotedCells: ReadonlyMap<number, number>;
  /** Position and line of the text after the last complete row. */
  end: number;
  nextLine: number;
  /** The line of a quote that is open at the end of the text. */
  openQuoteLine: number | undefined;
  /** The problem that makes the remaining text unreadable. */
  problem: ScanProblem | undefined;
}>;

export type ScanProblem = Readonly<{ code: ScanProblemCode; line: number }>;
type ScanProblemCode = 'QUOTE_UNCLOSED' | 'QUOTE_MALFORMED' | 'ROW_TOO_LONG' | 'LINE_BREAK_BARE';

/**
 * The position where the scan of a row ended early. Without a code, more text can complete the row.
 */
type Stop = Readonly<{ at: number; line: number; isOpen?: true; code?: ScanProblemCode }>;

/** The state of the scan. */
type Cursor = {
  start: number;
  line: number;
  /** The next line feed; -1 for none. */
  lineEnd: number;
  /** The next quote; -1 for none. */
  quote: number;
  /** Number of quoted cells in the last scanned row. */
  quotedCells: number;
};

/** The complete rows so far, and the position and line of the next one. */
type FoundRows = Readonly<{
  lines: RowScan['lines'];
  quotedCells: RowScan['quotedCells'];
  start: number;
  line: number;
}>;

/**
 * Finds the rows of a text that starts with a row. It is strict where CSV readers differ:
 * a quoted cell begins and ends at a delimiter or line end, has doubled quotes inside, and no other
 * cell has a quote. It reports the first problem in the text, for any cut of the text into pieces.
 */
export function scanRows(text: string, delimiter: string, firstLine: number): RowScan {
  const cursor = {
    start: 0,
    line: firstLine,
    lineEnd: text.indexOf('\n'),
    quote: text.indexOf('"'),
    quotedCells: 0,
  };
  const bareReturn = text.indexOf('\r');
  const lines: number[] = [];
  const quotedCells = new Map<number, number>();
  for (;;) {
    const { start, line } = cursor;
    const stop = skipQuotedCells(text, delimiter, cursor) ?? stopOf(text, cursor, line);
    if (bareReturn !== -1 && bareReturn <= (stop?.at ?? cursor.lineEnd)) {
      const bareLine = line + linesIn(text, start, bareReturn);
      return result(
        { lines, quotedCells, start, line },
        { at: bareReturn, line: bareLine, code: 'LINE_BREAK_BARE' },
      );
    }
    if (stop !== undefined) return result({ lines, quotedCells, start, line }, stop);
    lines.push(line);
    if (cursor.line > line) quotedCells.set(line, cursor.quotedCells);
    cursor.start = cursor.lineEnd + 1;
    cursor.line += 1;
    cursor.lineEnd = text.indexOf('\n', cursor.start);
  }
}

function result({ lines, quotedCells, start, line }: FoundRows, stop: Stop): RowScan {
  return {
    lines,
    quotedCells,
    end: start,
    nextLine: line,
    openQuoteLine: stop.isOpen ? stop.line : undefined,
    problem: stop.code === undefined ? undefined : { code: stop.code, line: stop.line },
  };
}

/** Moves the cursor over the quoted cells of one row, to its line end or to -1. */
function skipQuotedCells(text: string, delimiter: string, cursor: Cursor): Stop | undefined {
  const limit = cursor.start + ROW_CHARS_MAX;
  cursor.quotedCells = 0;
  while (cursor.quote !== -1 && (cursor.lineEnd === -1 || cursor.quote < cursor.lineEnd)) {
    const { quote: open, line } = cursor;
    if (open > limit) return undefined;
    if (open !== cursor.start && text[open - 1] !== delimiter) {
      return { at: open, line, code: 'QUOTE_MALFORMED' };
    }
    const close = closingQuote(text, open);
    if (close > limit || (close === -1 && text.length > limit)) {
      return { at: limit, line, code: 'QUOTE_UNCLOSED' };
    }
    if (close === -1) return { at: text.length, line, isOpen: true };
    while (cursor.lineEnd !== -1 && cursor.lineEnd < close) {
      cursor.line += 1;
      cursor.lineEnd = text.indexOf('\n', cursor.lineEnd + 1);
    }
    const next = text[close + 1];
    if (next === undefined) return { at: text.length, line };
    if (next !== delimiter && next !== '\n') {
      // In a cell of several lines, this quote probably opens a cell of a later row.
      const code = cursor.line > line ? 'QUOTE_UNCLOSED' : 'QUOTE_MALFORMED';
      return { at: close + 1, line, code };
    }
    cursor.quotedCells += 1;
    cursor.quote = text.indexOf('"', close + 1);
  }
  return undefined;
}

/** Returns the quote that closes the one at `open`, or -1. Doubled quotes do not close. */
export function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** Returns the stop for a row that is too long or incomplete. */
function stopOf(text: string, { start, lineEnd }: Cursor, line: number): Stop | undefined {
  const limit = start + ROW_CHARS_MAX;
  if ((lineEnd === -1 ? text.length : lineEnd) > limit) {
    return { at: limit, line, code: 'ROW_TOO_LONG' };
  }
  return lineEnd === -1 ? { at: text.length, line } : undefined;
}

function linesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
