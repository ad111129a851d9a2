import type { EndState } from '../domain/batch/batch-state.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import { type BatchFees, withFees } from '../domain/fees/batch-fees.ts';
import { appendAudit } from './audit.ts';
import { freeClaim } from './funds.ts';
import { onBatch } from './recorded.ts';
import type { Db } from './sqlite.ts';

type OfBatch = Readonly<{ batchId: string; atMs: number }>;

/** Releases a batch. A release before `dueAtMs` gives way to this one. */
export const release = (
  tx: Db,
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
 * Writes down who canceled a batch that has not ended. A second cancel by another person, or for another reason, changes
 * nothing but stands in the audit log, too. The same cancel again is silent: the command line writes it, and then the workflow.
 */
export async function cancel(
  tx: Db,
  {
    batchId,
    by,
    actor,
    reason,
    atMs,
  }: OfBatch & Readonly<Record<'by' | 'actor' | 'reason', string>>,
): Promise<void> {
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
  const known = await tx
    .selectFrom('batch')
    .select('canceled_json')
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (known?.canceled_json !== canceled) await appendAudit(tx, { ...act, detail: { reason } });
}

export const setFees = (
  tx: Db,
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
  tx: Db,
  { batchId, state, atMs, error }: BatchEnd & Readonly<{ batchId: string }>,
): Promise<void> {
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
