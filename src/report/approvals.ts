import type { BatchRecord } from '../store/batches/types.ts';
import { personNamed } from '../domain/approval/people.ts';
import { policyText } from '../domain/approval/policy-text.ts';
import { questionOfBatch } from '../domain/approval/question.ts';
import { proofOf } from '../domain/approval/refusal.ts';
import type { ReportApprovals } from '../domain/report/report.ts';
import type { Store } from '../store/index.ts';

/**
 * Reads the policy of a batch and the decisions of its approvers.
 * It verifies every signature again, and marks those that are not valid.
 */
export async function reportApprovals(
  { approvals }: Readonly<{ approvals: Store['approvals'] }>,
  batch: BatchRecord,
): Promise<ReportApprovals> {
  const policy = batch.rules?.approval ?? null;
  const given = await approvals.list(batch.batchId);
  return {
    policy: policySentences(batch),
    mode: questionOfBatch(batch, null)?.policy.mode ?? null,
    given: given.map(({ approval, atMs }) => {
      const person = policy === null ? undefined : personNamed(policy, approval.person);
      const publicKey = person?.publicKey ?? null;
      const takenAt = new Date(atMs).toISOString();
      return { ...approval, publicKey, proof: proofOf(approval, publicKey), takenAt };
    }),
  };
}

function policySentences({ digest, rules, summary }: BatchRecord): string[] {
  if (digest === null || summary === null)
    return ['The batch has no plan, so it needed no approval.'];
  return policyText(rules?.approval ?? null, summary.currencies);
}
