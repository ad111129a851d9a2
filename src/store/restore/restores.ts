import type { ExpressionBuilder } from 'kysely';
import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import {
  answersAll,
  SENDABLE,
  statesToVerify,
  type ChunkVerification,
  type VerifiedBy,
} from '../../domain/sending/reduce.ts';
import type { ClockReading, OperatorAnswer } from '../../domain/sending/send-record.ts';
import type { VerificationProgress } from '../../domain/restore/progress.ts';
import { nextEpoch } from '../../domain/restore/epoch.ts';
import { onChunk } from '../audit/audited.ts';
import { appendAudit } from '../audit/append.ts';
import type { Schema } from '../database/schema.ts';
import { disproofOf } from '../sending/disproofs.ts';
import type { ChunkAt } from '../settlement/withdrawal-lookups.ts';

/**
 * That an older copy took the place of the store, for one batch that it concerns. `epoch`: its number, see `nextEpoch`.
 * `hasBegun`: the service has shown since then that the batch had begun to pay.
 */
export type StoredRestore = Readonly<{ epoch: number; atMs: number; hasBegun: boolean }>;

/** What the service has shown of a batch since a restore. `NEW`: certainly nothing of it was sent before. */
export type RestoreFinding = 'BEGUN' | 'NEW';

/**
 * Why the store counts as an older copy. `actor`: the name in the audit log; missing: the log has a signed statement already.
 * `begun`: the batch of which the service showed a send that the store lacks.
 */
export type NewRestore = Readonly<{
  atMs: number;
  reason: string;
  actor?: string;
  begun?: string;
}>;

/** That the store lacks no send of a chunk. */
export type VerifiedChunk = Readonly<{
  epoch: number;
  by: VerifiedBy;
  /** From how many attempts, and from which state of the chunk, that was decided. */
  attempts: number;
  from: ChunkState;
  /** Where the keys were looked up. */
  account: string;
  baseUrl: string;
  atMs: number;
}>;

export type RestoreStore = ReturnType<typeof createRestoreStore>;

/** A store as far as its restores are concerned. */
export interface StoreOfRestores {
  readonly restores: RestoreStore;
}

/** Older copies that took the place of this store, and what was verified since the last one. */
export const createRestoreStore = ({ db, decide }: Access) => ({
  /** The last restore, if it concerns a batch; undefined: the store lacks no send of it. The batch need not be written down. */
  of: (batchId: string): Promise<StoredRestore | undefined> => restoreOf(db, batchId),

  /** When an older copy came last, in milliseconds since 1970; undefined: never. */
  lastAtMs: async (): Promise<number | undefined> => (await lastRestore(db))?.at_ms,

  /** Writes down one more older copy. From here on every open chunk has to be verified. Returns the new epoch. */
  raise: (restore: NewRestore): Promise<number> =>
    decide(['store', 'chain'], (tx) => raise(tx, restore)),

  /** Writes down what the service showed of a batch, unless another copy has come since. */
  note: (batchId: string, epoch: number, finding: RestoreFinding): Promise<void> =>
    decide(['store'], (tx) => note(tx, { batchId, epoch, finding })),

  /** The first reading of a clock since a restore: this one, if there was none. */
  firstReading: (epoch: number, now: ClockReading): Promise<ClockReading> =>
    decide(['store'], (tx) => firstReading(tx, epoch, now)),

  /** How far the verification of a batch is; null: the store lacks no send of it. */
  progress: (batchId: string): Promise<VerificationProgress | null> => progressOf(db, batchId),

  /**
   * Writes down that a chunk is verified. Returns false when another copy has come, a lookup of the account was disproven, or
   * anything was sent, found, asked or answered since it was decided.
   */
  verify: (at: ChunkAt, verified: VerifiedChunk): Promise<boolean> =>
    decide([{ batch: at.batchId }], (tx) => verify(tx, at, verified)),
});

export const lastRestore = (db: Db) =>
  db
    .selectFrom('store_restore')
    .select(['epoch', 'at_ms'])
    .orderBy('epoch', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function restoreOf(db: Db, batchId: string): Promise<StoredRestore | undefined> {
  const last = await lastRestore(db);
  if (last === undefined) return undefined;
  const { epoch, at_ms: atMs } = last;
  const known = await db
    .selectFrom('restored_batch')
    .select('finding')
    .where('batch_id', '=', batchId)
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  const finding = known?.finding as RestoreFinding | undefined;
  return finding === 'NEW' ? undefined : { epoch, atMs, hasBegun: finding === 'BEGUN' };
}

type VerifiedColumns = Pick<Schema['chunk'], 'verified_epoch' | 'verified_by'>;

/** Whether the store may lack sends of a chunk. This is the one condition of the gate after a restore (see `reduceSend`). */
const verificationBy = (
  { epoch }: StoredRestore,
  { verified_epoch: verified, verified_by: by }: VerifiedColumns,
): ChunkVerification | undefined => {
  if ((verified ?? 0) < epoch) return 'due';
  return by === 'LOOKUPS' ? 'by-lookups' : undefined;
};

/** The same condition where the restore was read already. */
export const verificationIn = (
  restore: StoredRestore | undefined,
  chunk: VerifiedColumns,
): ChunkVerification | undefined =>
  restore === undefined ? undefined : verificationBy(restore, chunk);

/** The same condition over the chunks of a batch in a query: the store lacks no send of them. */
export const isVerifiedIn =
  (epoch: number) =>
  ({ eb, fn, val }: ExpressionBuilder<Schema, 'chunk'>) =>
    eb(fn.coalesce('verified_epoch', val(0)), '>=', epoch);

/** `verified`: the columns of the chunk, where they were read already. */
export async function verificationOf(
  db: Db,
  { batchId, chunk }: ChunkAt,
  verified?: VerifiedColumns,
): Promise<ChunkVerification | undefined> {
  const restore = await restoreOf(db, batchId);
  if (restore === undefined) return undefined;
  return verificationBy(restore, verified ?? (await readVerified(db, { batchId, chunk })));
}

const readVerified = (db: Db, { batchId, chunk }: ChunkAt) =>
  db
    .selectFrom('chunk')
    .select(['verified_epoch', 'verified_by'])
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .executeTakeFirstOrThrow();

/** The restore in which chunks of a batch must be verified before they may be sent or closed; 0: none. */
export const epochOf = async (db: Db, batchId: string): Promise<number> =>
  (await restoreOf(db, batchId))?.epoch ?? 0;

/** What has ended stays as it ended. A batch without chunks may have had some before the copy was taken, so it is not null then. */
export async function progressOf(db: Db, batchId: string): Promise<VerificationProgress | null> {
  const restore = await restoreOf(db, batchId);
  if (restore === undefined || (await hasEnded(db, batchId))) return null;
  const chunks = await db
    .selectFrom('chunk')
    .select(['state', 'mass_payout_id', 'verified_epoch', 'verified_by'])
    .where('batch_id', '=', batchId)
    .execute();
  const isDue = (chunk: (typeof chunks)[number]): boolean =>
    SENDABLE.includes(chunk.state as ChunkState) &&
    chunk.mass_payout_id === null &&
    verificationBy(restore, chunk) === 'due';
  const due = chunks.filter(isDue).length;
  const total = chunks.length;
  return total > 0 && due === 0 ? null : { verified: total - due, total };
}

const hasEnded = async (db: Db, batchId: string): Promise<boolean> =>
  (await db
    .selectFrom('batch')
    .select('batch_id')
    .where('batch_id', '=', batchId)
    .where('end_state', 'is not', null)
    .executeTakeFirst()) !== undefined;

export async function raise(tx: Tx, { atMs, reason, actor, begun }: NewRestore): Promise<number> {
  const epoch = nextEpoch((await lastRestore(tx))?.epoch, atMs);
  await tx.insertInto('store_restore').values({ epoch, at_ms: atMs, reason }).execute();
  if (begun !== undefined) await note(tx, { batchId: begun, epoch, finding: 'BEGUN' });
  if (actor === undefined) return epoch;
  await appendAudit(tx, { actor, action: 'store-older', detail: { reason }, atMs, batchId: null });
  return epoch;
}

async function note(
  tx: Tx,
  {
    batchId,
    epoch,
    finding,
  }: Readonly<{ batchId: string; epoch: number; finding: RestoreFinding }>,
): Promise<void> {
  if ((await lastRestore(tx))?.epoch !== epoch) return;
  await tx
    .insertInto('restored_batch')
    .values({ batch_id: batchId, epoch, finding })
    .onConflict((conflict) => conflict.column('batch_id').doUpdateSet({ epoch, finding }))
    .execute();
}

async function firstReading(
  tx: Tx,
  epoch: number,
  { clock, ms }: ClockReading,
): Promise<ClockReading> {
  await tx
    .insertInto('restore_clock')
    .values({ epoch, clock_id: clock, clock_ms: ms })
    .onConflict((conflict) => conflict.columns(['epoch', 'clock_id']).doNothing())
    .execute();
  const first = await tx
    .selectFrom('restore_clock')
    .select('clock_ms')
    .where('epoch', '=', epoch)
    .where('clock_id', '=', clock)
    .executeTakeFirstOrThrow();
  return { clock, ms: first.clock_ms };
}

async function verify(tx: Tx, at: ChunkAt, verified: VerifiedChunk): Promise<boolean> {
  const { epoch, by, attempts, from, account, baseUrl, atMs } = verified;
  if ((await restoreOf(tx, at.batchId))?.epoch !== epoch) return false;
  if (!statesToVerify(by).includes(from)) return false;
  if (by === 'lookups' && (await disproofOf(tx, account, baseUrl)) !== undefined) return false;
  return onChunk(tx, { ...at, action: 'verify', atMs }, async () => {
    const { numUpdatedRows } = await tx
      .updateTable('chunk')
      .set({ verified_epoch: epoch, verified_by: by === 'lookups' ? 'LOOKUPS' : 'REFUSAL' })
      .where('batch_id', '=', at.batchId)
      .where('chunk', '=', at.chunk)
      .where('state', '=', from)
      .where('mass_payout_id', 'is', null)
      .where(({ fn, val }) => fn.coalesce('verified_epoch', val(0)), '<', epoch)
      .where(
        ({ selectFrom }) =>
          selectFrom('attempt')
            .select(({ fn }) => fn.countAll<number>().as('known'))
            .whereRef('attempt.idempotency_key', '=', 'chunk.idempotency_key'),
        '=',
        attempts,
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** What lookups of an account have shown counts no more: every chunk that rests on them has to be verified again. */
export async function doubtLookups(
  tx: Tx,
  { account, atMs }: Readonly<{ account: string; atMs: number }>,
): Promise<void> {
  const chunks = await tx
    .selectFrom('chunk')
    .innerJoin('batch', 'batch.batch_id', 'chunk.batch_id')
    .select(['chunk.batch_id as batchId', 'chunk.chunk'])
    .where('batch.account', '=', account)
    .where('chunk.verified_by', '=', 'LOOKUPS')
    .execute();
  for (const at of chunks) {
    await onChunk(tx, { ...at, action: 'unverify', atMs }, async () => {
      await tx
        .updateTable('chunk')
        .set({ verified_epoch: null, verified_by: null })
        .where('batch_id', '=', at.batchId)
        .where('chunk', '=', at.chunk)
        .execute();
    });
  }
}

/** What settles for good whether the store lacks sends of a chunk: a later attempt, or the answer of a person. */
export const settledBy = (
  restore: StoredRestore | undefined,
  by: 'ATTEMPT' | 'PERSON',
): Partial<VerifiedColumns> =>
  restore === undefined ? {} : { verified_epoch: restore.epoch, verified_by: by };

/** The columns that an answer to a question of the store changes. */
export const settledByAnswer = (
  restore: StoredRestore | undefined,
  { answer, state }: Readonly<{ answer: OperatorAnswer; state: ChunkState }>,
): Partial<VerifiedColumns> => (answersAll(answer, state) ? settledBy(restore, 'PERSON') : {});
