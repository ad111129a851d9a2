/** A column of a table that is written line by line; `width` is a wish, longer cells push the rest to the right. */
export type TableColumn = Readonly<{ title: string; width: number; right?: boolean }>;

/** A cell that is written in a colour: the colour comes after the text was padded. */
export type PaintedCell = Readonly<{ text: string; paint(text: string): string }>;

type Cell = string | PaintedCell;

/** Writes the lines of a table whose rows arrive one by one. */
export const createTable = (columns: readonly TableColumn[]) => ({
  header: (): string =>
    line(
      columns,
      columns.map(({ title }) => title),
    ),
  row: (cells: readonly Cell[]): string => line(columns, cells),
});

const line = (columns: readonly TableColumn[], cells: readonly Cell[]): string =>
  columns
    .map((column, i) => cellText(column, cells[i] ?? ''))
    .join('  ')
    .trimEnd();

function cellText({ width, right = false }: TableColumn, cell: Cell): string {
  const text = typeof cell === 'string' ? cell : cell.text;
  const padded = right ? text.padStart(width) : text.padEnd(width);
  return typeof cell === 'string' ? padded : cell.paint(padded);
}

/** Names on the left, values on the right, for a few facts about one thing. */
export function factLines(facts: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`.trimEnd());
}
