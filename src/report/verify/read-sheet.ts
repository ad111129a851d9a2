import { createReadStream } from 'node:fs';

const BYTE_ORDER_MARK = '\uFEFF';

/** Characters of one row: many times those of any row that is written, which has a few thousand. */
export const SHEET_ROW_CHARS_MAX = 1024 ** 2;

/**
 * The rows of a CSV file of a report, cell by cell, its header first. Memory holds one row. Whoever changed the file may
 * have left out the end of one: throws RangeError for a row of more than {@link SHEET_ROW_CHARS_MAX}.
 */
export async function* readSheet(path: string): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  let chars = 0;
  let isOpen = false;
  for await (const line of linesOf(path)) {
    lines.push(line);
    chars += line.length + 1;
    assertShort(chars);
    // Each quote opens a cell or closes it: after an odd number of them the cell goes on in the next line.
    if (line.split('"').length % 2 === 0) isOpen = !isOpen;
    if (isOpen) continue;
    yield cellsOf(lines);
    lines = [];
    chars = 0;
  }
  if (lines.length > 0) yield cellsOf(lines);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  let isFirst = true;
  for await (const part of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const text = isFirst && part.startsWith(BYTE_ORDER_MARK) ? part.slice(1) : part;
    isFirst = false;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    assertShort(rest.length);
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function assertShort(chars: number): void {
  if (chars > SHEET_ROW_CHARS_MAX) throw new RangeError('a row is longer than any that is written');
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
