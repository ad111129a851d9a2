import type { Connection } from './db.ts';
import { sql } from 'kysely';

/**
 * Runs `work` so that all its reads come from one moment, while others write. No writer waits for it. Only for a store
 * that nothing else of this process uses: it has one connection.
 */
export async function withSnapshot<Result>(
  db: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql`begin`.execute(db);
  try {
    return await work();
  } finally {
    await sql`rollback`.execute(db);
  }
}
