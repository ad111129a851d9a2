import { sql } from 'kysely';
import type { Connection } from '../../database/db.ts';
import { findBadText } from './bad-text.ts';
import type { StoreFault, Words } from '../words.ts';

/** SQLite has one writer at a time, so a transaction itself is the lock of every scope. */
export const SQLITE_WORDS: Words = {
  groupOf: () => '',
  lock: async () => undefined,
  lockMore: async () => undefined,
  entryNumbers: async (_tx, newest, count) =>
    Array.from({ length: count }, (_, i) => newest + i + 1),
  migration: (statement) => statement,
  // SQLite counts from the largest number of a table.
  numbersAfterLoad: async () => undefined,
  faults: brokenPages,
  hasTable: (name) => sql<number>`exists (select 1 from sqlite_master where name = ${name})`,
  findBadText,
  erase,
  beginSnapshot: 'begin',
  nowMs: (ownMs) => sql<number>`${ownMs}`,
};

/** Pages keep removed texts until they are used again, so the whole file is written anew. */
async function erase(db: Connection): Promise<void> {
  await sql`vacuum`.execute(db);
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

async function brokenPages(db: Connection): Promise<readonly StoreFault[]> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  const [found] = rows;
  if (found === undefined || found.quick_check === 'ok') return [];
  return [
    {
      what: `The file of the store is damaged (${found.quick_check}).`,
      fix: 'Stop all workers. Restore a backup: bursar store restore FILE, with a new file in store.url.',
    },
  ];
}
