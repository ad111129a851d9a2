import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Connection } from '../../database/db.ts';
import { nameOfScope, type Scope, type Scopes } from '../scopes.ts';

/**
 * Takes the locks of a write, in the order of its scopes, until the end of its transaction. Each later statement reads all that
 * earlier holders of the locks committed, since the isolation level is READ COMMITTED. A write in `store` runs alone: all others
 * share that lock.
 */
export async function lockScopes(tx: Connection, scopes: Scopes): Promise<void> {
  const ahead = scopes.filter((scope) => scope !== 'store' && scope !== 'chain');
  const locks = [
    ...ahead.map(exclusive),
    scopes.includes('store')
      ? exclusive('store')
      : `pg_advisory_xact_lock_shared(${keyOf('store')})`,
    ...(scopes.includes('chain') ? [exclusive('chain')] : []),
  ];
  // One statement evaluates its columns from left to right.
  await sql.raw(`select ${locks.join(', ')}`).execute(tx);
}

export async function lockMore(tx: Connection, scopes: Scopes): Promise<void> {
  await sql.raw(`select ${scopes.map(exclusive).join(', ')}`).execute(tx);
}

const exclusive = (scope: Scope): string => `pg_advisory_xact_lock(${keyOf(scope)})`;

const keyOf = (scope: Scope): string => lockNumber(nameOfScope(scope));

/** A number of 64 bits that stands for a name. Two names with the same number wait for each other in vain, and no more. */
const lockNumber = (name: string): string =>
  createHash('sha256').update(`bursar ${name}`).digest().readBigInt64BE(0).toString();
