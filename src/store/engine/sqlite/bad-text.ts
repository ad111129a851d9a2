import type { Connection } from '../../database/db.ts';
import type { BadText } from '../words.ts';
import { sql } from 'kysely';

/** The tables with rows of a batch, and how those rows are found. The audit log is one chain, and is read whole. */
const ROWS_OF_BATCH = {
  audit: () => sql`true`,
  batch: (id: string) => sql`batch_id = ${id}`,
  chunk: (id: string) => sql`batch_id = ${id}`,
  staged_chunk: (id: string) => inReading(id),
  refused_row: (id: string) => inReading(id),
  intent: (id: string) => ofKeys(id),
  attempt: (id: string) => ofKeys(id),
  lookup: (id: string) => ofKeys(id),
  row_outcome: (id: string) => sql`batch_id = ${id}`,
  approval: (id: string) => sql`batch_id = ${id}`,
  hold: (id: string) => sql`batch_id = ${id}`,
  recheck_change: (id: string) => sql`batch_id = ${id}`,
  report_version: (id: string) => sql`batch_id = ${id}`,
} as const;

const inReading = (id: string) =>
  sql`ingest_id = (select ingest_id from batch where batch_id = ${id})`;
const ofKeys = (id: string) =>
  sql`idempotency_key in (select idempotency_key from chunk where batch_id = ${id})`;

/**
 * The first text of a batch that is not UTF-8; undefined when there is none. The driver ends the whole process when it
 * reads such a text. So a reader of a store that may have been changed checks first: texts with other bytes than plain
 * letters.
 */
export async function findBadText(db: Connection, batchId: string): Promise<BadText | undefined> {
  for (const [table, rowsOf] of Object.entries(ROWS_OF_BATCH)) {
    for (const column of await textColumns(db, table)) {
      const rowid = await badRow(db, { table, column }, rowsOf(batchId));
      if (rowid !== undefined) return { table, column, rowid };
    }
  }
  return undefined;
}

async function textColumns(db: Connection, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_info(${table})`.execute(db);
  return rows.filter(({ type }) => type.toLowerCase() === 'text').map(({ name }) => name);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Rows are fetched one by one: each may hold the rows of a whole chunk. */
async function badRow(
  db: Connection,
  { table, column }: Readonly<{ table: string; column: string }>,
  isMeant: ReturnType<typeof inReading>,
): Promise<number | undefined> {
  const text = sql.ref(column);
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = await sql<{ rowid: number; bytes: ArrayBuffer }>`
      select rowid as rowid, cast(${text} as blob) as bytes from ${sql.table(table)}
      where ${isMeant} and rowid > ${after} and typeof(${text}) = 'text' and ${text} glob '*[^ -~]*'
      order by rowid limit 1`.execute(db);
    const [row] = rows;
    if (row === undefined) return undefined;
    if (!isUtf8(row.bytes)) return row.rowid;
    after = row.rowid;
  }
}

function isUtf8(bytes: ArrayBuffer): boolean {
  try {
    UTF8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
