import type { Database } from './database.ts';

/**
 * Idempotency keys of requests that the sandbox answered with 500, for the mode
 * `poisoned-after-500`.
 */
export type PoisonedKeys = Readonly<{
  add(account: string, idempotencyKey: string): void;
  has(account: string, idempotencyKey: string): boolean;
}>;

export function createPoisonedKeys(db: Database): PoisonedKeys {
  const insert = db.prepare('INSERT OR IGNORE INTO poisoned_key VALUES (?, ?)');
  const find = db.prepare(
    'SELECT 1 AS found FROM poisoned_key WHERE account = ? AND idempotency_key = ?',
  );
  return {
    add: (account, idempotencyKey) => void insert.run(account, idempotencyKey),
    has: (account, idempotencyKey) => find.get(account, idempotencyKey) !== undefined,
  };
}
