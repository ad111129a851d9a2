import { ROW_CHARS_MAX } from './limits.ts';

/** The rows of a piece of text, found without splitting them into cells. */
export type RowScan = Readonly<{
  /** Line on which each complete row starts. */
  lines: readonly number[];
  /** How many quoted cells each complete row of several lines has, by the line on which it starts. */
  quotedCells: ReadonlyMap<number, number>;
  /** Where the text after the last complete row starts, and on which line. */
  end: number;
  nextLine: number;
  /** Line of a quote that is still open at the end of the text. */
  openQuoteLine: number | undefined;
  /** Why the text after the last complete row can never be read as rows. */
  problem: ScanProblem | undefined;
}>;

export type ScanProblem = Readonly<{ code: ScanProblemCode; line: number }>;
type ScanProblemCode = 'QUOTE_UNCLOSED' | 'QUOTE_MALFORMED' | 'ROW_TOO_LONG' | 'LINE_BREAK_BARE';

/** Where the scan of a row ended before the row did. Without a code the rest is still to come. */
type Stop = Readonly<{ at: number; line: number; isOpen?: true; code?: ScanProblemCode }>;

/**
 * `lineEnd` and `quote` are the next line feed and the next quote that were not passed yet; -1 for none. `quotedCells` are
 * those of the row that was passed last.
 */
type Cursor = { start: number; line: number; lineEnd: number; quote: number; quotedCells: number };

/** The result so far: the complete rows, and where the next one starts. */
type Found = Readonly<Pick<RowScan, 'lines' | 'quotedCells'> & { start: number; line: number }>;

/**
 * Finds the rows of a text that starts with a row. It is strict where readers of CSV differ: a quoted cell starts and
 * ends right at delimiters or line ends, quotes inside it are doubled, and no other cell has one. The first problem in
 * the order of the text is reported, wherever the text was cut into pieces.
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

function result({ lines, quotedCells, start, line }: Found, stop: Stop): RowScan {
  return {
    lines,
    quotedCells,
    end: start,
    nextLine: line,
    openQuoteLine: stop.isOpen ? stop.line : undefined,
    problem: stop.code === undefined ? undefined : { code: stop.code, line: stop.line },
  };
}

/** Moves over the quoted cells of one row, to the line feed that ends it or, if there is none, to -1. */
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
      // Over several lines, an apparent closing quote most likely opens a cell of a later row.
      const code = cursor.line > line ? 'QUOTE_UNCLOSED' : 'QUOTE_MALFORMED';
      return { at: close + 1, line, code };
    }
    cursor.quotedCells += 1;
    cursor.quote = text.indexOf('"', close + 1);
  }
  return undefined;
}

/** The quote that closes the one at `open`: the next that is not doubled; -1 when there is none. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** A row that is too long, or that does not end within the text. */
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
