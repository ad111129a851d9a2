/** A table of text: columns as wide as their widest cell, with a line under the head. */
export function tableText(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const text = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('-|-');
  return [text(head), rule, ...lines.map(text)].join('\n');
}
