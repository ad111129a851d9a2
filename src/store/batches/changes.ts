import type { Canceled } from './types.ts';
import type { Db, Tx } from '../database/db.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import { BursarError, type ErrorNote } from '../../domain/errors/bursar-error.ts';
import { type BatchFees, withFees } from '../../domain/fees/batch-fees.ts';
import { appendAudit } from '../audit/append.ts';
import { freeClaim } from '../funds/claims.ts';
import { readJson } from './batch-record.ts';
import { onBatch } from '../audit/audited.ts';
import { progressOf } from '../restore/restores.ts';
import { actorOfUnsigned, type UnsignedAct } from '../control/unsigned-acts.ts';

type OfBatch = Readonly<{ batchId: string; atMs: number }>;

/** Releases a batch. A release before `dueAtMs` gives way to this one. */
export const release = (
  tx: Tx,
  { batchId, atMs, dueAtMs }: OfBatch & Readonly<{ dueAtMs: number | null }>,
): Promise<void> =>
  onBatch(tx, { batchId, atMs, action: 'release' }, async ({ detail }) => {
    const released = await tx
      .updateTable('batch')
      .set({ released_at_ms: atMs })
      .where('batch_id', '=', batchId)
      .where(({ or, eb }) =>
        or([eb('released_at_ms', 'is', null), eb('released_at_ms', '<', dueAtMs ?? 0)]),
      )
      .where('end_state', 'is', null)
      .returning('digest')
      .executeTakeFirst();
    detail['digest'] = released?.digest;
  });

/**
 * Stores who canceled a batch that has not ended. A second cancel by another person, or for another reason, changes
 * nothing and is in the audit log too. The same cancel again leaves no entry: the command line writes it, and then the
 * workflow.
 */
export async function cancel(
  tx: Tx,
  {
    batchId,
    by,
    policy = null,
    reason,
    atMs,
  }: OfBatch & UnsignedAct & Readonly<{ reason: string }>,
): Promise<void> {
  const actor = await actorOfUnsigned(tx, { batchId, by, policy });
  const act = { batchId, atMs, actor, action: 'cancel' };
  const canceled = JSON.stringify({ by, reason });
  const isFirst = await onBatch(tx, act, async ({ detail }) => {
    detail['reason'] = reason;
    const { numUpdatedRows } = await tx
      .updateTable('batch')
      .set({ canceled_json: canceled })
      .where('batch_id', '=', batchId)
      .where('canceled_json', 'is', null)
      .where('end_state', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
  if (isFirst) return;
  const known = await findCanceled(tx, batchId);
  if (known === undefined) await insertEarlyCancel(tx, batchId, canceled);
  if (known !== canceled) await appendAudit(tx, { ...act, detail: { reason } });
}

/** The cancel of a batch, or of one that no worker has written down yet. undefined: the store has neither; null: a batch without one. */
async function findCanceled(db: Db, batchId: string): Promise<string | null | undefined> {
  const batch = await db
    .selectFrom('batch')
    .select('canceled_json')
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (batch !== undefined) return batch.canceled_json;
  const early = await db
    .selectFrom('early_cancel')
    .select('canceled_json')
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  return early?.canceled_json;
}

export const canceledOf = async (db: Db, batchId: string): Promise<Canceled | null> =>
  readJson<Canceled>((await findCanceled(db, batchId)) ?? null);

/**
 * Example: a worker is down, `bursar submit` starts the batch, and `bursar cancel` stops it. The store has no batch yet. The
 * worker that starts next writes the batch down, with this cancel in its row, so `beginAttempt` refuses from the first moment on.
 */
const insertEarlyCancel = (tx: Tx, batchId: string, canceledJson: string): Promise<unknown> =>
  tx
    .insertInto('early_cancel')
    .values({ batch_id: batchId, canceled_json: canceledJson })
    .execute();

/** Takes the cancel that came before the batch, for its row; null when there is none. */
export async function takeEarlyCancel(tx: Tx, batchId: string): Promise<string | null> {
  const early = await tx
    .deleteFrom('early_cancel')
    .where('batch_id', '=', batchId)
    .returning('canceled_json')
    .executeTakeFirst();
  return early?.canceled_json ?? null;
}

export const setFees = (
  tx: Tx,
  { batchId, fees, atMs }: OfBatch & Readonly<{ fees: BatchFees }>,
): Promise<void> =>
  onBatch(tx, { batchId, atMs, action: 'fees' }, async ({ detail }) => {
    const { quotes, newest, accepted } = fees;
    Object.assign(detail, { quotes, newest: newest?.quotes, accepted: accepted?.quotes });
    const known = await tx
      .selectFrom('batch')
      .select('fees_json')
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow();
    const before = JSON.parse(known.fees_json ?? 'null') as BatchFees | null;
    await tx
      .updateTable('batch')
      .set({ fees_json: JSON.stringify(withFees(before, fees)) })
      .where('batch_id', '=', batchId)
      .execute();
  });

/** How a batch ended, and when. `error`: why, when it ended early. */
export type BatchEnd = Readonly<{ state: EndState; atMs: number; error: ErrorNote | null }>;

export async function end(
  tx: Tx,
  { batchId, state, atMs, error }: BatchEnd & Readonly<{ batchId: string }>,
): Promise<void> {
  if ((await progressOf(tx, batchId)) !== null) {
    throw new BursarError('BATCH_MAY_HAVE_BEGUN', { batchId, code: error?.code ?? state });
  }
  await onBatch(tx, { batchId, atMs, action: 'end' }, async ({ detail }) => {
    Object.assign(detail, { state, error: error?.code });
    await tx
      .updateTable('batch')
      .set({
        end_state: state,
        ended_at_ms: atMs,
        error_json: error === null ? null : JSON.stringify(error),
        report_version: 1,
      })
      .where('batch_id', '=', batchId)
      .where('end_state', 'is', null)
      .execute();
  });
  await freeClaim(tx, batchId, atMs);
}
