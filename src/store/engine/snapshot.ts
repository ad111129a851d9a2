import type { Connection } from '../database/db.ts';
import { sql } from 'kysely';
import { wordsOf } from './words.ts';

/** Runs `work` with a connection whose reads all come from one moment, while others write. No writer waits for it. */
export const withSnapshot = <Result>(
  db: Connection,
  work: (moment: Connection) => Promise<Result>,
): Promise<Result> =>
  db.connection().execute(async (one) => {
    await sql.raw(wordsOf(one).beginSnapshot).execute(one);
    try {
      return await work(one);
    } finally {
      await sql`rollback`.execute(one);
    }
  });
