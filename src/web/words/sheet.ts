import { columnNamed, plainName } from '../../domain/rows/column-names.ts';
import type { FileForm } from '../../domain/rows/file-form.ts';
import { COLUMNS } from '../../domain/rows/row.ts';

/** A row of a sheet. `line`: the line of the file on which it starts, from 1. */
export type FileLine = Readonly<{ line: number; cells: readonly string[] }>;

const DELIMITERS = [',', ';', '\t'] as const;

/** The rows of a CSV file, with quoted cells. It only shows a file to its owner: the server reads it by rules of its own. */
export function sheetRows(text: string): readonly FileLine[] {
  const plain = text.replace(/^\uFEFF/, '');
  const delimiter = delimiterOf(plain.split('\n', 1)[0] ?? '');
  const rows: FileLine[] = [];
  let row: Readonly<{ line: number; cells: string[] }> = { line: 1, cells: [] };
  let cell = '';
  let line = 1;
  let isQuoted = false;
  const endCell = (): void => {
    row.cells.push(cell);
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    rows.push(row);
    row = { line: line + 1, cells: [] };
  };
  for (let at = 0; at < plain.length; at += 1) {
    const one = plain.charAt(at);
    if (isQuoted && one === '"' && plain.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (one === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (isQuoted) cell += one;
    else if (one === delimiter) endCell();
    else if (one === '\n') endRow();
    else if (one !== '\r') cell += one;
    if (one === '\n') line += 1;
  }
  if (cell !== '' || row.cells.length > 0) endRow();
  return rows;
}

const delimiterOf = (head: string): string =>
  [...DELIMITERS].sort((a, b) => head.split(b).length - head.split(a).length)[0] ?? ',';

/** An error of a cell. `column`: the name in the head of the file, or `row`. */
export type CellError = Readonly<{ row: number; column: string }>;

export function errorsByLine<Found extends CellError>(
  errors: readonly Found[],
): ReadonlyMap<number, readonly Found[]> {
  const lines = new Map<number, Found[]>();
  for (const error of errors) lines.set(error.row, [...(lines.get(error.row) ?? []), error]);
  return lines;
}

/**
 * The number of the cell that an error is about; -1: the whole row, or a column that the head does not name. `columns`: the
 * names that the person stated.
 */
export function cellOf(
  head: readonly string[],
  column: string,
  columns: FileForm['columns'],
): number {
  const role = COLUMNS.find((one) => one === column);
  const stated = role === undefined ? undefined : columns[role];
  return head
    .map(plainName)
    .findIndex((name) =>
      stated === undefined ? columnNamed(name) === column : name === plainName(stated),
    );
}

/** A payment as its file has it. A field that the file lacks is empty. */
export type SheetPayment = Readonly<{
  line: number;
  name: string;
  reference: string;
  amount: string;
  currency: string;
  address: string;
}>;

/** The characters of a file that its first payments are read from. */
const FIRST_CHARACTERS = 50_000;

/** The first payments of a CSV file, as they stand in it. `columns`: the names that the person stated; `leftOut`: lines that are not paid. */
export function firstPayments(
  text: string,
  { columns, leftOut, count }: FirstPayments,
): readonly SheetPayment[] {
  const rows = sheetRows(text.slice(0, FIRST_CHARACTERS));
  // The last row may be cut off.
  const whole = text.length > FIRST_CHARACTERS ? rows.slice(0, -1) : rows;
  const head = whole[0]?.cells ?? [];
  return whole
    .slice(1)
    .filter(({ line, cells }) => !leftOut.has(line) && cells.some((cell) => cell.trim() !== ''))
    .slice(0, count)
    .map(({ line, cells }) => {
      const cell = (column: string): string => cells[cellOf(head, column, columns)] ?? '';
      return {
        line,
        name: cell('name'),
        reference: cell('reference'),
        amount: cell('amount'),
        currency: cell('currency'),
        address: cell('address'),
      };
    });
}

type FirstPayments = Readonly<{
  columns: FileForm['columns'];
  leftOut: ReadonlySet<number>;
  count: number;
}>;
