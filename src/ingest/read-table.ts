import { BursarError } from '../domain/errors/bursar-error.ts';
import {
  delimiterOf,
  type HeaderOptions,
  namedDelimiter,
  readHeader,
  type TableLayout,
} from './header.ts';
import { ROW_CHARS_MAX } from './limits.ts';
import { type ScanProblem, scanRows } from './scan-rows.ts';
import { splitRow } from './split-row.ts';
import type { TextBlock } from './table-block.ts';

/** The position of the reader: the text without a complete row yet, and its first line. */
type ReadPosition = {
  text: string;
  line: number;
  /** The delimiter that the first line names. */
  namedDelimiter: string | undefined;
  layout: TableLayout | undefined;
  openQuoteLine: number | undefined;
};

/**
 * Reads a table from text with LF line ends. Yields all rows before the first problem, then throws.
 * @throws FILE_EMPTY, LINE_BREAK_BARE, ROW_TOO_LONG, QUOTE_UNCLOSED, QUOTE_MALFORMED,
 * DELIMITER_UNKNOWN or HEADER_*.
 */
export async function* readTable(
  texts: AsyncIterable<string>,
  options: HeaderOptions,
): AsyncGenerator<TextBlock> {
  const { file } = options;
  const position: ReadPosition = {
    text: '',
    line: 1,
    namedDelimiter: undefined,
    layout: undefined,
    openQuoteLine: undefined,
  };
  for await (const text of texts) {
    position.text += text;
    // A text without a line end has no complete row. It is scanned only when the row is too long.
    if (text.includes('\n') || position.text.length > ROW_CHARS_MAX)
      yield* takeRows(position, options);
  }
  if (position.text !== '') {
    position.text += '\n';
    yield* takeRows(position, options);
  }
  if (position.openQuoteLine !== undefined) {
    throw new BursarError('QUOTE_UNCLOSED', { file, line: position.openQuoteLine });
  }
  if (position.layout === undefined) throw new BursarError('FILE_EMPTY', { file });
}

function* takeRows(position: ReadPosition, options: HeaderOptions): Generator<TextBlock> {
  position.layout ??= takeHeader(position, options);
  const { layout, text } = position;
  if (layout === undefined) return;
  const scan = scanRows(text, layout.delimiter, position.line);
  position.text = text.slice(scan.end);
  position.line = scan.nextLine;
  position.openQuoteLine = scan.openQuoteLine;
  if (scan.lines.length > 0) {
    const { lines, nextLine, quotedCells } = scan;
    yield { layout, text: text.slice(0, scan.end), lines, nextLine, quotedCells };
  }
  if (scan.problem !== undefined) throw problemError(scan.problem, options.file);
}

const EMPTY_LINE = /^[ ,;\t]*$/;

/**
 * Removes the header: the first line that is not empty and names no delimiter. Returns undefined until it is
 * complete.
 */
function takeHeader(position: ReadPosition, options: HeaderOptions): TableLayout | undefined {
  const { file } = options;
  for (;;) {
    const end = position.text.indexOf('\n');
    const header = end === -1 ? position.text : position.text.slice(0, end);
    assertHeaderLine(header, position.line, file);
    if (end === -1) return undefined;
    const { line } = position;
    position.text = position.text.slice(end + 1);
    position.line += 1;
    if (EMPTY_LINE.test(header)) continue;
    const named = position.namedDelimiter === undefined ? namedDelimiter(header) : undefined;
    if (named !== undefined) {
      position.namedDelimiter = named;
      continue;
    }
    const delimiter = position.namedDelimiter ?? delimiterOf(header, file);
    const { problem, openQuoteLine } = scanRows(`${header}\n`, delimiter, line);
    if (problem !== undefined) throw problemError(problem, file);
    if (openQuoteLine !== undefined) throw new BursarError('QUOTE_UNCLOSED', { file, line });
    return readHeader(splitRow(header, delimiter), delimiter, options);
  }
}

/** Checks a header line before its delimiter is found. */
function assertHeaderLine(header: string, line: number, file: string): void {
  if (header.includes('\r')) throw new BursarError('LINE_BREAK_BARE', { file, line });
  if (header.length > ROW_CHARS_MAX) throw problemError({ code: 'ROW_TOO_LONG', line }, file);
}

const problemError = ({ code, line }: ScanProblem, file: string): BursarError =>
  code === 'ROW_TOO_LONG'
    ? new BursarError(code, { file, line, maxChars: ROW_CHARS_MAX })
    : new BursarError(code, { file, line });
