import { createReadStream } from 'node:fs';

const BYTE_ORDER_MARK = '\uFEFF';

/** The lines of a CSV file of a report, cell by cell, its header first. Memory holds one line. */
export async function* readSheet(path: string): AsyncGenerator<readonly string[]> {
  let open = '';
  for await (const line of linesOf(path)) {
    const text = open + line;
    // A cell that goes on in the next line has an odd number of quotes so far.
    open = text.split('"').length % 2 === 0 ? `${text}\n` : '';
    if (open === '') yield text.includes('"') ? cellsOf(text) : text.split(',');
  }
  if (open !== '') yield cellsOf(open);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  let isFirst = true;
  for await (const part of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const text = isFirst && part.startsWith(BYTE_ORDER_MARK) ? part.slice(1) : part;
    isFirst = false;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

const cellsOf = (line: string): string[] =>
  Array.from(line.matchAll(CELL), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
