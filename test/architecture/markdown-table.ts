import { AMBIENT_KINDS, type Room } from './import-table.ts';

/** Reads the rows of the import table from ARCHITECTURE.md. */
export function parseImportTable(markdown: string): Room[] {
  const lines = markdown.split('\n');
  const header = lines.findIndex((line) => line.startsWith('| from | may import from `src` |'));
  if (header < 0) throw new Error('ARCHITECTURE.md has no import table');
  const rows = lines.slice(header + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end < 0 ? rows.length : end).map(parseRow);
}

/** Writes the table as ARCHITECTURE.md shows it. */
export function renderImportTable(rooms: readonly Room[]): string {
  const rows = rooms.map(({ from, src, packages, ambient }) => {
    const cells = [from, list(src), packages === 'types' ? 'types only' : list(packages), ambient];
    return `| ${cells.join(' | ')} |`;
  });
  const head = ['| from | may import from `src` | packages | ambient types |', '|---|---|---|---|'];
  return [...head, ...rows].join('\n');
}

const list = (items: readonly string[]): string => (items.length === 0 ? '-' : items.join(', '));

function parseRow(line: string): Room {
  const [from = '', src = '', packages = '', ambient] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  const kind = AMBIENT_KINDS.find((each) => each === ambient);
  if (kind === undefined) throw new Error(`not a row: ${line}`);
  return {
    from,
    src: itemsOf(src),
    packages: packages === 'types only' ? 'types' : itemsOf(packages),
    ambient: kind,
  };
}

const itemsOf = (cell: string): string[] => (cell === '-' ? [] : cell.split(', '));
