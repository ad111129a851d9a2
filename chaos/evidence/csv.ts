/** A reader of its own, so that what wrote a file does not also say what it means. RFC 4180; a byte order mark is left out. */
export function readRecords(text: string): Record<string, string>[] {
  const [header = [], ...lines] = readLines(text.replace(/^\uFEFF/, ''));
  return lines.map((line) =>
    Object.fromEntries(header.map((column, at): [string, string] => [column, line[at] ?? ''])),
  );
}

function readLines(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (isQuoted && letter === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted || (letter !== ',' && letter !== '\n'))
      cell += letter === '\r' && !isQuoted ? '' : letter;
    else {
      cells.push(cell);
      cell = '';
      if (letter === '\n') {
        lines.push(cells);
        cells = [];
      }
    }
  }
  return lines;
}
