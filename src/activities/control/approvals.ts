import type {
  ApprovalActivities,
  RecordApprovalInput,
  RefusedApproval,
} from '../../contract/approval-activities.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { questionOfBatch } from '../../domain/approval/question.ts';
import { BursarError, type ErrorNote } from '../../domain/errors/bursar-error.ts';
import type { Store } from '../../store/index.ts';
import { atBoundary } from '../shared/boundary.ts';
import { takeStatement } from '../shared/take-statement.ts';

export type ApprovalDeps = Readonly<{
  store: Store;
  /** The approval policy of this worker's settings. */
  policy: ApprovalPolicy | null;
  nowMs(): number;
}>;

/** Stores the answers of approvers, after every part of them was checked again. */
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

/** Temporal's own tools do not name who hands an approval in. Where a name is given, it is a bare one. */
async function noteRefused(
  { store, policy, nowMs }: ApprovalDeps,
  { batchId, by, decision, code, person }: RefusedApproval,
): Promise<void> {
  const batch = await store.batches.find(batchId);
  const actor = by === null ? 'Temporal' : unsignedActor(batch?.rules?.approval ?? policy, by);
  const entry = { batchId, actor, action: `${decision}-rejected` };
  await store.audit.append({ atMs: nowMs(), ...entry, detail: { code, person } });
}

/** Plan, rules, submitter and earlier approvals are those of the store, and not those of the workflow. */
async function record(
  { store, nowMs }: ApprovalDeps,
  { batchId, approval, hold }: RecordApprovalInput,
): Promise<ErrorNote | null> {
  const batch = await store.batches.find(batchId);
  if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  const question = questionOfBatch(batch, hold);
  return takeStatement(store, { statement: approval, question, nowMs });
}
