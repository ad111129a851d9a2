import { join } from 'node:path';
import Database from 'libsql';

/** One send of a create, as the engine wrote it down. */
export type WrittenAttempt = Readonly<{ n: number; outcome: string; httpStatus: number | null }>;

/** Sends of a key that left, or may have: a busy machine may have to give up one before. As {@link attemptsOf}. */
export const sendsOf = (folder: string, idempotencyKey: string): WrittenAttempt[] =>
  attemptsOf(folder, idempotencyKey).filter(({ outcome }) => outcome !== 'VOID');

/** The attempts of a key, from the store of a stack that is at work in another process. */
export function attemptsOf(folder: string, idempotencyKey: string): WrittenAttempt[] {
  const store = new Database(join(folder, 'store.db'), { readonly: true });
  try {
    const attempts = store.prepare(
      'select n, outcome, http_status as httpStatus from attempt where idempotency_key = ? order by n',
    );
    return attempts.all(idempotencyKey) as WrittenAttempt[];
  } finally {
    store.close();
  }
}
