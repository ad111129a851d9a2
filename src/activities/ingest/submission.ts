import type { BatchInput } from '../../contract/batch.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { type ApprovedBatch, questionOfBatch } from '../../domain/approval/question.ts';
import { readApproval } from '../../domain/approval/statement.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { Store } from '../../store/index.ts';

type SubmissionDeps = Readonly<{
  store: Store;
  rules: Readonly<{ approval: ApprovalPolicy | null }>;
  nowMs(): number;
}>;

/** The actor of the entry that a batch was taken. Under a policy the signed submit has an entry of its own. */
export const takerOf = (
  { rules }: Pick<SubmissionDeps, 'rules'>,
  { submittedBy }: Pick<BatchInput, 'submittedBy'>,
): string => (rules.approval === null ? submittedBy : ENGINE);

/** Writes the signed submit of a batch down. A statement that proves nothing is left out: the plan is refused without one. */
export async function recordSubmission(
  { store, rules: { approval: policy }, nowMs }: SubmissionDeps,
  { batchId, submission }: Pick<BatchInput, 'batchId' | 'submission'>,
): Promise<void> {
  if (policy === null || submission === undefined) return;
  const statement = readApproval(submission);
  if (typeof statement === 'string') return;
  await store.approvals.addSubmission(batchId, { statement, policy, atMs: nowMs() });
}

/**
 * The submitter of a plan for the audit log: the person who signed, or the given name with a mark. Throws
 * SUBMIT_UNSIGNED when the plan needs approvals and the submitter did not sign: that person could approve their own
 * batch under a second name.
 */
export async function provenSubmitter(
  { store }: Pick<SubmissionDeps, 'store'>,
  batch: ApprovedBatch,
): Promise<string> {
  const { batchId, submittedBy, rules } = batch;
  const policy = rules?.approval ?? null;
  if (policy === null) return submittedBy;
  const signer = await store.approvals.submitter(batchId, policy);
  if (signer === submittedBy) return submittedBy;
  if (policy.mode === 'signed' && questionOfBatch(batch, null) !== null) {
    throw new BursarError('SUBMIT_UNSIGNED', { batchId, submittedBy });
  }
  return unsignedActor(policy, submittedBy);
}
