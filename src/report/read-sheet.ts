import type { Readable } from 'node:stream';

const BYTE_ORDER_MARK = '\uFEFF';

/** Longest row in characters. Bursar writes rows of a few thousand at most. */
export const SHEET_ROW_CHARS_MAX = 1024 ** 2;

/**
 * Reads the rows of an open CSV file of a report as cells, with its header first. Memory holds one row.
 * A changed file may lack a closing quote, and the row would then not end.
 * @throws RangeError for a row of more than {@link SHEET_ROW_CHARS_MAX}.
 */
export async function* readSheet(file: Readable): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  let chars = 0;
  let isOpen = false;
  for await (const line of linesOf(file)) {
    lines.push(line);
    chars += line.length + 1;
    assertShort(chars);
    // Each quote opens or closes a cell. After an odd number the cell continues in the next line.
    if (line.split('"').length % 2 === 0) isOpen = !isOpen;
    if (isOpen) continue;
    yield cellsOf(lines);
    lines = [];
    chars = 0;
  }
  if (lines.length > 0) yield cellsOf(lines);
}

async function* linesOf(file: Readable): AsyncGenerator<string> {
  let unfinished = '';
  let isFirst = true;
  for await (const part of file.setEncoding('utf8') as AsyncIterable<string>) {
    const text = isFirst && part.startsWith(BYTE_ORDER_MARK) ? part.slice(1) : part;
    isFirst = false;
    const lines = (unfinished + text).split('\n');
    unfinished = lines.pop() ?? '';
    assertShort(unfinished.length);
    yield* lines;
  }
  if (unfinished !== '') yield unfinished;
}

function assertShort(chars: number): void {
  if (chars > SHEET_ROW_CHARS_MAX) throw new RangeError('a row is too long for a row of a report');
}

/** A cell with the comma before it. */
const CELL = /,(?:"([^"]*(?:""[^"]*)*)"|([^,]*))/g;

function cellsOf(lines: readonly string[]): string[] {
  const row = lines.join('\n');
  if (!row.includes('"')) return row.split(',');
  return Array.from(`,${row}`.matchAll(CELL), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
}
