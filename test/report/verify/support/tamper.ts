import type { Connection } from '../../../../src/store/database/db.ts';
import { sql } from 'kysely';

/** Columns of durations. No decision depends on them, and the audit log does not cover them. */
const NOT_TOLD: readonly string[] = [
  'chunk.attention_reason',
  'chunk.attention_since_ms',
  'chunk.unclear_since_ms',
  'chunk.open_since_ms',
  'chunk.state_since_ms',
  'chunk.unreadable_since_ms',
];

/** Tables that the audit log covers, with the column that makes a copied row another record. */
const TABLES: Readonly<Record<string, string>> = {
  audit: 'seq = seq + 1000',
  batch: '',
  staged_chunk: 'chunk = chunk + 1000',
  refused_row: 'seq = seq + 1000',
  chunk: "chunk = chunk + 1000, idempotency_key = idempotency_key || '-'",
  intent: '',
  attempt: 'n = n + 1000',
  lookup: 'at_ms = at_ms + 1',
  row_outcome: '"row" = "row" + 1000',
  approval: "person = person || '-'",
  hold: 'n = n + 1000',
  recheck_change: 'seq = seq + 1000',
  report_version: 'version = version + 1000',
};

export type RowAt = Readonly<{ table: string; rowid: number }>;
export type Cell = RowAt & Readonly<{ column: string }>;

/** Returns every stored row of a batch. */
export async function rowsIn(db: Connection): Promise<RowAt[]> {
  const rows: RowAt[] = [];
  for (const table of Object.keys(TABLES)) {
    const found = await sql<{
      rowid: number;
    }>`select rowid as rowid from ${sql.table(table)}`.execute(db);
    rows.push(...found.rows.map(({ rowid }) => ({ table, rowid })));
  }
  return rows;
}

/** Returns every cell of these rows whose change must be found. */
export async function cellsIn(db: Connection): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const row of await rowsIn(db)) {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_info(${row.table})`.execute(db);
    const told = rows.filter(({ name }) => !NOT_TOLD.includes(`${row.table}.${name}`));
    cells.push(...told.map(({ name }) => ({ ...row, column: name })));
  }
  return cells;
}

/** Flips one bit of a cell. A null cell gets a value. */
export async function flipBit(
  db: Connection,
  { table, rowid, column }: Cell,
  bit: number,
): Promise<void> {
  const name = sql.ref(column);
  const { rows } = await sql<{ type: string; bytes: ArrayBuffer; number: number }>`
    select typeof(${name}) as type, cast(${name} as blob) as bytes, ${name} + 0 as number
    from ${sql.table(table)} where rowid = ${rowid}`.execute(db);
  const [{ type, bytes, number } = { type: 'null', bytes: new ArrayBuffer(0), number: 0 }] = rows;
  const value =
    type === 'null'
      ? sql`'x'`
      : type === 'text'
        ? sql`cast(${flipped(bytes, bit)} as text)`
        : sql`${number ^ (1 << (bit % 20))}`;
  await sql`update ${sql.table(table)} set ${name} = ${value} where rowid = ${rowid}`.execute(db);
}

/** Returns the bytes with one flipped bit. An empty text gets a letter. */
export function flipped(bytes: Uint8Array | ArrayBuffer, bit: number): Buffer {
  if (bytes.byteLength === 0) return Buffer.from('x');
  const changed = Buffer.from(new Uint8Array(bytes));
  const at = Math.floor(bit / 8) % changed.length;
  changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8));
  return changed;
}

export const dropRow = (db: Connection, { table, rowid }: RowAt): Promise<unknown> =>
  sql`delete from ${sql.table(table)} where rowid = ${rowid}`.execute(db);

/** Whether a copied row of this table belongs to the batch. */
export const canBeCopied = ({ table }: RowAt): boolean => TABLES[table] !== '';

/** Adds a copy of a row with another key. */
export async function copyRow(db: Connection, { table, rowid }: RowAt): Promise<void> {
  await sql`create temp table copied as select * from ${sql.table(table)} where rowid = ${rowid}`.execute(
    db,
  );
  await sql`update temp.copied set ${sql.raw(TABLES[table] ?? '')}`.execute(db);
  await sql`insert into ${sql.table(table)} select * from temp.copied`.execute(db);
  await sql`drop table temp.copied`.execute(db);
}

/** Exchanges two entries of the log. */
export async function swapEntries(db: Connection, one: number, other: number): Promise<void> {
  for (const [from, to] of [
    [one, -1],
    [other, one],
    [-1, other],
  ] as const) {
    await sql`update audit set seq = ${to} where seq = ${from}`.execute(db);
  }
}

/** Removes all entries of the log after the first ones. */
export const cutLog = (db: Connection, entries: number): Promise<unknown> =>
  sql`delete from audit where seq > ${entries}`.execute(db);
