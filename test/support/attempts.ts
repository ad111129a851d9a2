import { join } from 'node:path';
import Database from 'libsql';

/** One send of a create, as the engine wrote it down. */
export type WrittenAttempt = Readonly<{ timestampMs: number; outcome: string }>;

/**
 * The sends of a key, from the store of a stack that is at work in another process. An attempt that was VOID is none: a
 * busy machine may have to give one up before anything is sent.
 */
export function sendsOf(folder: string, idempotencyKey: string): WrittenAttempt[] {
  const store = new Database(join(folder, 'store.db'), { readonly: true });
  try {
    const sends = store.prepare(`
      select timestamp_ms as timestampMs, outcome from attempt
      where idempotency_key = ? and outcome <> 'VOID' order by n`);
    return sends.all(idempotencyKey) as WrittenAttempt[];
  } finally {
    store.close();
  }
}
