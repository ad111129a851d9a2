import { CompiledQuery } from 'kysely';
import type { Tx } from '../database/db.ts';

/** A value of a column. */
type Cell = string | number | null;

/** Runs a statement whose text is put together here: a query builder would take as long as SQLite. */
export async function run<Row>(tx: Tx, text: string, cells: readonly Cell[]): Promise<Row[]> {
  const { rows } = await tx.executeQuery<Row>(CompiledQuery.raw(text, [...cells]));
  return rows;
}

/** Marks for so many values: `?, ?, ?`. */
export const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

/** Marks for rows of values: `(?, ?), (?, ?)`. */
export const rowMarks = (rows: number, columns: number): string =>
  Array.from({ length: rows }, () => `(${marks(columns)})`).join(', ');

/** Inserts rows of one table. `onConflict`: what follows the values. */
export async function insertRows<Row extends Readonly<Record<string, Cell>>>(
  tx: Tx,
  { table, columns, onConflict = '' }: Insert<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const head = `insert into ${table} (${columns.join(', ')}) values`;
  const cells = rows.flatMap((row) => columns.map((column) => row[column] ?? null));
  await run(tx, `${head} ${rowMarks(rows.length, columns.length)} ${onConflict}`, cells);
}

type Insert<Row> = Readonly<{
  table: string;
  columns: readonly (keyof Row & string)[];
  onConflict?: string;
}>;
