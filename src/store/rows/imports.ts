import type { Db } from '../database/db.ts';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/audit/chain.ts';
import type { RecordFacts } from '../../domain/audit/facts.ts';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';
import { readingFacts } from '../audit/facts.ts';
import type { Schema } from '../database/schema.ts';

/** Refused rows that are written with one statement, and read with one. */
export const REFUSED_ROWS_PER_PAGE = 500;

/** The result of one import, as one record of the audit log. */
export async function readReading(db: Db, ingestId: string): Promise<RecordFacts> {
  const staged = await db
    .selectFrom('staged_chunk')
    .select(['chunk', 'currency', 'row_count', 'total', 'first_row', 'last_row', 'rows_sha256'])
    .where('ingest_id', '=', ingestId)
    .orderBy('chunk')
    .execute();
  const refused = createHash('sha256');
  for (let after = -1; ; ) {
    const page = await refusedPage(db, ingestId, after);
    for (const row of page) refused.update(`${canonicalJson(row)}\n`);
    const last = page.at(-1);
    if (last === undefined) return readingFacts(staged, refused.digest('hex'));
    after = last.seq;
  }
}

/** Refused rows in the order of the file that come after a number; see `seq`. */
export const refusedPage = (db: Db, ingestId: string, after: number) =>
  db
    .selectFrom('refused_row')
    .selectAll()
    .where('ingest_id', '=', ingestId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(REFUSED_ROWS_PER_PAGE)
    .execute();

export const fromRefusedRow = (row: Schema['refused_row']): RefusedRow =>
  ({
    row: row.row,
    column: row.column_name,
    code: row.code,
    facts: JSON.parse(row.facts_json),
    value: row.value,
    ...(row.amount === null ? {} : { amount: row.amount }),
    ...(row.currency === null ? {} : { currency: row.currency }),
  }) as RefusedRow;

export const toRefusedRow = (ingestId: string, seq: number, row: RefusedRow) => ({
  ingest_id: ingestId,
  seq,
  row: row.row,
  column_name: row.column,
  code: row.code,
  facts_json: JSON.stringify(row.facts),
  value: row.value,
  amount: row.amount ?? null,
  currency: row.currency ?? null,
});
