import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { CHAIN_START } from '../../domain/audit/chain.ts';
import { isUndeclaredCopy } from '../../domain/restore/undeclared-copy.ts';
import { type StoreIdentity, storeIdOfHash, type StoreRef } from '../../domain/store/identity.ts';
import { ENGINE } from '../audit/audited.ts';
import { appendAudit } from '../audit/append.ts';
import { lastRestore, raise } from './restores.ts';

/** That this store takes the place of others. `actor`: as whom the audit log names the person who said so. */
export type Succession = Readonly<{ ids: readonly string[]; actor: string; atMs: number }>;

/** Which store this is. See `domain/store/identity.ts`. */
export const createIdentityStore = ({ db, decide }: Access) => ({
  read: (): Promise<StoreIdentity> => readIdentity(db),

  /** The store as a workflow remembers it. */
  async ref(): Promise<StoreRef> {
    const { id, succeeds } = await readIdentity(db);
    const head = await db
      .selectFrom('audit')
      .select(['seq', 'hash'])
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    const epoch = (await lastRestore(db))?.epoch;
    return {
      id,
      audit: head ?? CHAIN_START,
      ...(epoch === undefined ? {} : { epoch }),
      ...(succeeds.length === 0 ? {} : { succeeds }),
    };
  },

  /** Whether this store is an older copy of the one that a worker named, and no restore was declared since. */
  isUndeclaredCopy: (named: StoreRef): Promise<boolean> => isUndeclared(db, named),

  /** Declares that this store is an older copy. Returns false when another worker has declared it. */
  declareCopy: (named: StoreRef, atMs: number): Promise<boolean> =>
    decide(['store', 'chain'], (tx) => declareCopy(tx, named, atMs)),

  /** Puts this store in the place of others. Doing so again changes nothing. */
  succeed: (succession: Succession): Promise<void> =>
    decide(['store', 'chain'], (tx) => succeed(tx, succession)),
});

async function readIdentity(db: Db): Promise<StoreIdentity> {
  const { id, succeeds_json: succeeds } = await db
    .selectFrom('store_identity')
    .select(['id', 'succeeds_json'])
    .executeTakeFirstOrThrow();
  return { id, succeeds: JSON.parse(succeeds) as string[] };
}

async function isUndeclared(db: Db, named: StoreRef): Promise<boolean> {
  const { id } = await readIdentity(db);
  const entry = await db
    .selectFrom('audit')
    .select('hash')
    .where('seq', '=', named.audit.seq)
    .executeTakeFirst();
  const epoch = (await lastRestore(db))?.epoch ?? 0;
  return isUndeclaredCopy(named, { id, epoch, hash: entry?.hash });
}

async function declareCopy(tx: Tx, named: StoreRef, atMs: number): Promise<boolean> {
  if (!(await isUndeclared(tx, named))) return false;
  const reason = `its audit log lacks entry ${named.audit.seq}, which a worker had`;
  await raise(tx, { atMs, reason, actor: ENGINE });
  return true;
}

async function succeed(tx: Tx, { ids, actor, atMs }: Succession): Promise<void> {
  const { id, succeeds } = await readIdentity(tx);
  const added = ids.filter((one) => one !== id && !succeeds.includes(one));
  if (added.length === 0) return;
  await tx
    .updateTable('store_identity')
    .set({ succeeds_json: JSON.stringify([...succeeds, ...added]) })
    .execute();
  const detail = { store: id, succeeds: added };
  await appendAudit(tx, { actor, action: 'store-succeeds', detail, atMs, batchId: null });
}

/**
 * Makes the identity of a store, once. A store that has an audit log gets an id from its first entry, so that every copy of
 * it that was taken before stores had ids gets the same one.
 */
export async function makeIdentity(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('create table store_identity (id text primary key, succeeds_json text not null)')
    .execute(db);
  const { rows } = await sql<{ hash: string }>`select hash from audit where seq = 1`.execute(db);
  const id = rows[0] === undefined ? randomUUID() : storeIdOfHash(rows[0].hash);
  await sql`insert into store_identity (id, succeeds_json) values (${id}, '[]')`.execute(db);
}
