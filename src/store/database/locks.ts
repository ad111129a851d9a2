import { createHash } from 'node:crypto';
import type { Connection } from './db.ts';
import { PostgresAdapter, sql } from 'kysely';
import type { Scope, Scopes } from './decide.ts';

/** Whether a store lies on PostgreSQL. There several writes run at once, and each takes the locks of its scopes. */
export const isPostgres = (db: Connection): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/** The scopes of a write as one text: writes with the same scopes can share a transaction. */
export const scopesKey = (scopes: Scopes): string => scopes.map(nameOf).join(' ');

/**
 * Takes the locks of a write, in the order of its scopes, until the end of its transaction. A write in `store` runs alone: all
 * others share that lock. On SQLite the transaction itself is the lock.
 */
export async function lockScopes(tx: Connection, scopes: Scopes): Promise<void> {
  if (!isPostgres(tx)) return;
  const isStore = scopes.includes('store');
  const ahead = scopes.filter((scope) => scope !== 'store' && scope !== 'chain');
  const locks = [
    ...ahead.map(exclusive),
    isStore ? exclusive('store') : `pg_advisory_xact_lock_shared(${keyOf('store')})`,
    ...(scopes.includes('chain') ? [exclusive('chain')] : []),
  ];
  for (const lock of locks) await sql.raw(`select ${lock}`).execute(tx);
}

/** Takes the lock of the store chain late in a write: it is the last in the order. */
export async function lockChain(tx: Connection): Promise<void> {
  if (isPostgres(tx)) await sql.raw(`select ${exclusive('chain')}`).execute(tx);
}

const exclusive = (scope: Scope): string => `pg_advisory_xact_lock(${keyOf(scope)})`;

const nameOf = (scope: Scope): string =>
  typeof scope === 'string' ? scope : Object.entries(scope).flat().join(':');

/** A number of 64 bits that stands for a scope. Two scopes with the same number wait for each other in vain, and no more. */
const keyOf = (scope: Scope): string =>
  createHash('sha256')
    .update(`bursar ${nameOf(scope)}`)
    .digest()
    .readBigInt64BE(0)
    .toString();
