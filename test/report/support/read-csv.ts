/** Reads strict CSV, independently of `src`: RFC 4180 with LF, and equal numbers of cells. */
export function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const line: string[] = [];
    for (let more = true; more; at += 1) {
      const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
      line.push(cell.value);
      at = cell.end;
      more = text[at] === ',';
      if (!more && text[at] !== '\n') throw new Error(`neither comma nor line end at ${at}`);
    }
    lines.push(line);
  }
  const width = lines[0]?.length;
  if (lines.some((line) => line.length !== width)) throw new Error('lines of different width');
  return lines;
}

/** Returns the lines below the header as objects. It drops a byte order mark. */
export function readRecords(text: string): Record<string, string>[] {
  const [header = [], ...lines] = readCsv(text.replace(/^\uFEFF/, ''));
  return lines.map((line) =>
    Object.fromEntries(header.map((column, i): [string, string] => [column, line[i] ?? ''])),
  );
}

function plainCell(text: string, from: number): { value: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n') end += 1;
  const value = text.slice(from, end);
  if (/["\r]/.test(value)) throw new Error(`a cell that needs quotes has none at ${from}`);
  return { value, end };
}

function quotedCell(text: string, from: number): { value: string; end: number } {
  let value = '';
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] !== '"') value += text[at];
    else if (text[at + 1] === '"') {
      value += '"';
      at += 1;
    } else return { value, end: at + 1 };
  }
  throw new Error(`the quote at ${from} is never closed`);
}
