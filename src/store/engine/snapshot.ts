import type { Connection } from '../database/db.ts';
import { sql } from 'kysely';
import { wordsOf } from './words.ts';

/**
 * Runs `work` so that all its reads come from one moment, while others write. No writer waits for it. Only for a store
 * that nothing else of this process uses: it has one connection.
 */
export async function withSnapshot<Result>(
  db: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql.raw(wordsOf(db).beginSnapshot).execute(db);
  try {
    return await work();
  } finally {
    await sql`rollback`.execute(db);
  }
}
