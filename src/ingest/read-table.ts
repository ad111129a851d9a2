import { BursarError } from '../domain/errors/bursar-error.ts';
import { delimiterOf, type HeaderOptions, type Layout, readHeader } from './header.ts';
import { ROW_CHARS_MAX } from './limits.ts';
import { parseCells } from './parse-cells.ts';
import { type RowScan, type ScanProblem, scanRows } from './scan-rows.ts';
import { trimSpaces } from './trim-spaces.ts';

/** Some rows of the table, in order: the line on which each starts, and its cells. `nextLine` follows the last one. */
export type TableBlock = Readonly<{
  layout: Layout;
  lines: readonly number[];
  nextLine: number;
  cells: readonly (readonly string[])[];
  /** As the scan gives them. */
  quotedCells: RowScan['quotedCells'];
}>;

/**
 * One row of a table, cut into cells: the line on which it starts, and on how many it stands. `isAllQuoted`: a row of several
 * lines has every cell in quotes.
 */
export type RawRow = Readonly<{
  cells: readonly string[];
  line: number;
  lineCount: number;
  isAllQuoted: boolean;
}>;

/** The row of a block at an index from 0 up. */
export function rowAt({ lines, nextLine, cells, quotedCells }: TableBlock, index: number): RawRow {
  const line = lines[index] ?? 0;
  const row = cells[index] ?? [];
  const lineCount = (lines[index + 1] ?? nextLine) - line;
  return { cells: row, line, lineCount, isAllQuoted: quotedCells.get(line) === row.length };
}

/** The position of reading: the text that is no whole row yet, and the line on which it starts. */
type Place = {
  text: string;
  line: number;
  layout: Layout | undefined;
  openQuoteLine: number | undefined;
};

/**
 * Reads a table from text whose line ends are line feeds. Gives the rows before the first problem, then throws it:
 * FILE_EMPTY, LINE_BREAK_BARE, ROW_TOO_LONG, QUOTE_UNCLOSED, QUOTE_MALFORMED, DELIMITER_UNKNOWN or HEADER_*.
 */
export async function* readTable(
  texts: AsyncIterable<string>,
  options: HeaderOptions,
): AsyncGenerator<TableBlock> {
  const { file } = options;
  const place: Place = { text: '', line: 1, layout: undefined, openQuoteLine: undefined };
  for await (const text of texts) {
    place.text += text;
    // Without a line end there is no whole row to find, unless the row has become too long to have one.
    if (text.includes('\n') || place.text.length > ROW_CHARS_MAX) yield* takeRows(place, options);
  }
  if (place.text !== '') {
    place.text += '\n';
    yield* takeRows(place, options);
  }
  if (place.openQuoteLine !== undefined) {
    throw new BursarError('QUOTE_UNCLOSED', { file, line: place.openQuoteLine });
  }
  if (place.layout === undefined) throw new BursarError('FILE_EMPTY', { file });
}

function* takeRows(place: Place, options: HeaderOptions): Generator<TableBlock> {
  place.layout ??= takeHeader(place, options);
  const { layout, text } = place;
  if (layout === undefined) return;
  const scan = scanRows(text, layout.delimiter, place.line);
  place.text = text.slice(scan.end);
  place.line = scan.nextLine;
  place.openQuoteLine = scan.openQuoteLine;
  if (scan.lines.length > 0) {
    const cells = parseCells(text.slice(0, scan.end), layout.delimiter);
    if (cells.length !== scan.lines.length) throw new Error('two counts of the rows differ');
    const { lines, nextLine, quotedCells } = scan;
    yield { layout, lines, nextLine, cells, quotedCells };
  }
  if (scan.problem !== undefined) throw problemError(scan.problem, options.file);
}

/** Takes the header off the text: its first line that is not empty, once that is complete. */
function takeHeader(place: Place, options: HeaderOptions): Layout | undefined {
  const { file } = options;
  for (;;) {
    const end = place.text.indexOf('\n');
    const header = end === -1 ? place.text : place.text.slice(0, end);
    assertHeaderLine(header, place.line, file);
    if (end === -1) return undefined;
    const { line } = place;
    place.text = place.text.slice(end + 1);
    place.line += 1;
    if (trimSpaces(header) === '') continue;
    const delimiter = delimiterOf(header, file);
    const { problem, openQuoteLine } = scanRows(`${header}\n`, delimiter, line);
    if (problem !== undefined) throw problemError(problem, file);
    if (openQuoteLine !== undefined) throw new BursarError('QUOTE_UNCLOSED', { file, line });
    return readHeader(header, delimiter, options);
  }
}

/** Checks a header before its delimiter is known. */
function assertHeaderLine(header: string, line: number, file: string): void {
  if (header.includes('\r')) throw new BursarError('LINE_BREAK_BARE', { file, line });
  if (header.length > ROW_CHARS_MAX) throw problemError({ code: 'ROW_TOO_LONG', line }, file);
}

const problemError = ({ code, line }: ScanProblem, file: string): BursarError =>
  code === 'ROW_TOO_LONG'
    ? new BursarError(code, { file, line, maxChars: ROW_CHARS_MAX })
    : new BursarError(code, { file, line });
