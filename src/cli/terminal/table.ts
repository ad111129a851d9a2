/** A column of a table that is written line by line; `width` is a wish, longer cells push the rest to the right. */
export type TableColumn = Readonly<{ title: string; width: number; right?: boolean }>;

/** Writes the lines of a table whose rows arrive one by one. */
export const createTable = (columns: readonly TableColumn[]) => ({
  header: (): string =>
    line(
      columns,
      columns.map(({ title }) => title),
    ),
  row: (cells: readonly string[]): string => line(columns, cells),
});

const line = (columns: readonly TableColumn[], cells: readonly string[]): string =>
  columns
    .map(({ width, right = false }, i) =>
      right ? (cells[i] ?? '').padStart(width) : (cells[i] ?? '').padEnd(width),
    )
    .join('  ')
    .trimEnd();

/** Names on the left, values on the right, for a few facts about one thing. */
export function factLines(facts: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`.trimEnd());
}
