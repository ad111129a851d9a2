import type { ApprovalActivities, RecordApprovalInput } from '../contract/activities.ts';
import { questionOfBatch } from '../domain/approval/question.ts';
import { refusalOf } from '../domain/approval/refusal.ts';
import type { Approval } from '../domain/approval/statement.ts';
import { BursarError, type ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Store } from '../store/store.ts';
import { atBoundary } from './boundary.ts';

export type ApprovalDeps = Readonly<{
  store: Pick<Store, 'batches' | 'approvals'>;
  nowMs(): number;
}>;

/** Takes what approvers say, after everything about it was checked once more. */
export const createApprovalActivities = (deps: ApprovalDeps): ApprovalActivities => ({
  recordApproval: (input) =>
    atBoundary(async () => {
      const error = await record(deps, input);
      return error === null ? { kind: 'recorded' } : { kind: 'refused', error };
    }),
});

/** Whatever the workflow believed: plan, rules, submitter and earlier approvals are those of the store. */
async function record(
  { store, nowMs }: ApprovalDeps,
  { batchId, approval, hold }: RecordApprovalInput,
): Promise<ErrorNote | null> {
  const batch = await store.batches.find(batchId);
  if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  const given = (await store.approvals.list(batchId)).map((one) => one.approval);
  // An activity may run again after it did its work.
  if (given.some((one) => isSame(one, approval))) return null;
  const atMs = nowMs();
  const refusal = refusalOf(approval, questionOfBatch(batch, hold), { given, nowMs: atMs });
  if (refusal === null) await store.approvals.add(approval, atMs);
  return refusal;
}

const isSame = (one: Approval, other: Approval): boolean =>
  one.subject === other.subject &&
  one.person === other.person &&
  one.decision === other.decision &&
  one.issuedAt === other.issuedAt &&
  one.signature === other.signature;
