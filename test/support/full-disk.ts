import type { Connection } from '../../src/store/database/db.ts';
import { sql } from 'kysely';

/**
 * Lets a database grow no further than it is, as on a disk that is full; answers with the way to make room again. What fits
 * into pages that it has can still be written: what must not is to be larger than one.
 */
export async function fillDisk(db: Connection): Promise<() => Promise<void>> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  await setPagesMax(db, rows[0]?.page_count ?? 1);
  return () => setPagesMax(db, PAGES_MAX);
}

/** The most that SQLite allows. */
const PAGES_MAX = 4_294_967_294;

const setPagesMax = async (db: Connection, pages: number): Promise<void> => {
  await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db);
};
