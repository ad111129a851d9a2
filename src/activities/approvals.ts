import type {
  ApprovalActivities,
  RecordApprovalInput,
  RefusedApproval,
} from '../contract/approval-activities.ts';
import { questionOfBatch } from '../domain/approval/question.ts';
import { refusalOf } from '../domain/approval/refusal.ts';
import type { Approval } from '../domain/approval/statement.ts';
import { BursarError, type ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Store } from '../store/store.ts';
import { atBoundary } from './boundary.ts';

export type ApprovalDeps = Readonly<{
  store: Pick<Store, 'batches' | 'approvals' | 'audit'>;
  nowMs(): number;
}>;

/** Takes what approvers say, after everything about it was checked once more. */
export const createApprovalActivities = (deps: ApprovalDeps): ApprovalActivities => ({
  recordApproval: (input) =>
    atBoundary(async () => {
      const error = await record(deps, input);
      if (error === null) return { kind: 'recorded' };
      const { batchId, approval, by = null } = input;
      const { person, decision } = approval;
      await noteRefused(deps, { batchId, by, person, decision, code: error.code });
      return { kind: 'refused', error };
    }),

  noteRefusedApproval: (refused) => atBoundary(() => noteRefused(deps, refused)),
});

/** What comes by Temporal's own tools does not say who hands it in. */
async function noteRefused(
  { store, nowMs }: ApprovalDeps,
  { batchId, by, decision, code, person }: RefusedApproval,
): Promise<void> {
  const entry = { batchId, actor: by ?? 'Temporal', action: `${decision}-rejected` };
  await store.audit.append({ atMs: nowMs(), ...entry, detail: { code, person } });
}

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
