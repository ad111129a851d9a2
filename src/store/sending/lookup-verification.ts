import { larger } from '../engine/portable.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { doubtLookups } from '../restore/restores.ts';
import { baseUrlIn } from '../../domain/sending/lookup-service.ts';
import { type Disproof, disproofOf } from './disproofs.ts';
import { readWitnesses, type Witness } from './witnesses.ts';

/** Operations by which a mass payout can be found by its key. */
export type LookupOperation = 'MASS_GET' | 'LOOKUP';

/** That a lookup by key has found a payout which the service had accepted, and how long it took to appear. */
export type VerifiedLookup = Readonly<{
  operation: LookupOperation;
  lagMs: number;
  provenAtMs: number;
}>;

/** How far lookups of one account at one service are believed. */
export type LookupTrust = Readonly<{
  /** Missing before a lookup has found a created mass payout, and after a disproof. */
  verified: VerifiedLookup | undefined;
  /** Operations that have answered readably: each must miss before a key counts as missed. */
  answering: readonly LookupOperation[];
  /** Those of them that have found a mass payout by its key. */
  finding: readonly LookupOperation[];
  disproof: Disproof | undefined;
}>;

/**
 * The results of lookup verification of a service: a miss counts only after a lookup has found what exists. `lookupName`: see
 * `lookupServiceName`. A contradiction counts for the base URL in it, however the service is called.
 */
export const createLookupVerificationStore = ({ db, decide }: Access) => ({
  find: (account: string, lookupName: string): Promise<VerifiedLookup | undefined> =>
    findVerified(db, account, lookupName),

  trust: (account: string, lookupName: string): Promise<LookupTrust> =>
    readTrust(db, account, lookupName),

  /** Mass payouts that the service accepted from this account: the first of its latest batch, and the newest. */
  witnesses: (account: string, exceptKey: string): Promise<Witness[]> =>
    readWitnesses(db, account, exceptKey),

  /** Deletes the result of a verification that the service has contradicted, and the finds of `operation`. */
  forget: (account: string, lookupName: string, operation?: LookupOperation): Promise<void> =>
    decide([{ account }], (tx) => forget(tx, { account, lookupName, operation })),

  /** Stores a verified lookup; the longest lag ever measured stays. */
  save: (account: string, lookupName: string, verified: VerifiedLookup): Promise<void> =>
    decide([{ account }], (tx) => saveVerified(tx, { account, lookupName, proof: verified })),

  /** Notes when lookups were last seen to find what exists. A verification that was deleted meanwhile stays deleted. */
  noteVerifiedAgain: (account: string, lookupName: string, atMs: number): Promise<void> =>
    decide([{ account }], (tx) => noteVerifiedAgain(tx, { account, lookupName, atMs })),

  /** Remembers that an operation answered readably, and whether with a record. */
  noteAnswer: (
    account: string,
    lookupName: string,
    answer: Readonly<{ operation: LookupOperation; hasFound: boolean; atMs: number }>,
  ): Promise<void> =>
    decide([{ account }], (tx) => noteAnswer(tx, { account, lookupName, ...answer })),

  /** Whether this contradiction is on record. */
  isDisproven: (
    account: string,
    lookupName: string,
    disproof: Omit<Disproof, 'atMs'>,
  ): Promise<boolean> => isDisproven(db, { account, lookupName, disproof }),

  /** Remembers a contradiction for ever. Returns whether it is a new one. Chunks that rest on lookups are verified again. */
  disprove: (account: string, lookupName: string, disproof: Disproof): Promise<boolean> =>
    decide([{ account }, 'store', 'chain'], (tx) =>
      disprove(tx, { account, lookupName, disproof }),
    ),
});

async function forget(
  tx: Tx,
  {
    account,
    lookupName,
    operation,
  }: Account & Readonly<{ operation: LookupOperation | undefined }>,
): Promise<void> {
  await tx
    .deleteFrom('lookup_verification')
    .where('account', '=', account)
    .where('base_url', '=', lookupName)
    .execute();
  if (operation === undefined) return;
  await tx
    .updateTable('lookup_operation')
    .set({ found_at_ms: null })
    .where('account', '=', account)
    .where('base_url', '=', lookupName)
    .where('operation', '=', operation)
    .execute();
}

async function readTrust(db: Db, account: string, lookupName: string): Promise<LookupTrust> {
  const operations = await operationsOf(db, account, lookupName);
  const disproof = await disproofOf(db, account, baseUrlIn(lookupName));
  const verified = disproof === undefined ? await findVerified(db, account, lookupName) : undefined;
  const proven = verified === undefined ? [] : [verified.operation];
  const finding = operations.flatMap(({ operation, foundAtMs }) =>
    foundAtMs === null ? [] : [operation],
  );
  const answering = operations.map(({ operation }) => operation);
  return {
    verified: verified,
    disproof,
    answering: [...new Set([...proven, ...answering])],
    finding: [...new Set([...proven, ...finding])],
  };
}

async function isDisproven(
  db: Db,
  {
    account,
    lookupName,
    disproof: { batchId, chunk, reason },
  }: Account & Readonly<{ disproof: Omit<Disproof, 'atMs'> }>,
): Promise<boolean> {
  const row = await db
    .selectFrom('lookup_disproof')
    .select('at_ms')
    .where('account', '=', account)
    .where('base_url', '=', baseUrlIn(lookupName))
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .where('reason', '=', reason)
    .executeTakeFirst();
  return row !== undefined;
}

async function disprove(
  tx: Tx,
  { account, lookupName, disproof }: Account & Readonly<{ disproof: Disproof }>,
): Promise<boolean> {
  const { batchId, chunk, reason, atMs } = disproof;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('lookup_disproof')
    .values({
      account,
      base_url: baseUrlIn(lookupName),
      batch_id: batchId,
      chunk,
      reason,
      at_ms: atMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  await doubtLookups(tx, { account, atMs });
  return numInsertedOrUpdatedRows === 1n;
}

async function findVerified(
  db: Db,
  account: string,
  lookupName: string,
): Promise<VerifiedLookup | undefined> {
  const row = await db
    .selectFrom('lookup_verification')
    .select(['operation', 'lag_ms', 'verified_at_ms'])
    .where('account', '=', account)
    .where('base_url', '=', lookupName)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const operation = row.operation as LookupOperation;
  return { operation, lagMs: row.lag_ms, provenAtMs: row.verified_at_ms };
}

async function operationsOf(db: Db, account: string, lookupName: string) {
  const rows = await db
    .selectFrom('lookup_operation')
    .select(['operation', 'found_at_ms'])
    .where('account', '=', account)
    .where('base_url', '=', lookupName)
    .execute();
  return rows.map((row) => ({
    operation: row.operation as LookupOperation,
    foundAtMs: row.found_at_ms,
  }));
}

type Account = Readonly<{ account: string; lookupName: string }>;

async function saveVerified(
  tx: Tx,
  { account, lookupName, proof: verified }: Account & Readonly<{ proof: VerifiedLookup }>,
): Promise<void> {
  await tx
    .insertInto('lookup_verification')
    .values({
      account,
      base_url: lookupName,
      operation: verified.operation,
      lag_ms: verified.lagMs,
      verified_at_ms: verified.provenAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['account', 'base_url']).doUpdateSet(({ ref, val }) => ({
        operation: verified.operation,
        verified_at_ms: verified.provenAtMs,
        lag_ms: larger(ref('lookup_verification.lag_ms'), val(verified.lagMs)),
      })),
    )
    .execute();
}

async function noteVerifiedAgain(
  tx: Tx,
  { account, lookupName, atMs }: Account & Readonly<{ atMs: number }>,
): Promise<void> {
  await tx
    .updateTable('lookup_verification')
    .set({ verified_at_ms: atMs })
    .where('account', '=', account)
    .where('base_url', '=', lookupName)
    .execute();
}

async function noteAnswer(
  tx: Tx,
  {
    account,
    lookupName,
    operation,
    hasFound,
    atMs,
  }: Account & Readonly<{ operation: LookupOperation; hasFound: boolean; atMs: number }>,
): Promise<void> {
  const found = hasFound ? atMs : null;
  await tx
    .insertInto('lookup_operation')
    .values({ account, base_url: lookupName, operation, answered_at_ms: atMs, found_at_ms: found })
    .onConflict((conflict) =>
      conflict.columns(['account', 'base_url', 'operation']).doUpdateSet(({ fn, ref }) => ({
        found_at_ms: fn.coalesce(
          ref('lookup_operation.found_at_ms'),
          ref('excluded.found_at_ms' as never),
        ),
      })),
    )
    .execute();
}
