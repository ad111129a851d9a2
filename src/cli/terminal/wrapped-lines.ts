/** A text in lines of at most so many columns, broken between words. A longer word stands whole in a line of its own. */
export function wrappedLines(text: string, indent: string, columns: number): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const isFirst = line === indent;
    if (!isFirst && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = isFirst ? `${indent}${word}` : `${line} ${word}`;
  }
  return [...lines, line];
}
