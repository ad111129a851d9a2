import type { BatchRecord } from '../store/batches/types.ts';
import { personNamed } from '../domain/approval/people.ts';
import { policyText } from '../domain/approval/policy-text.ts';
import { questionOfBatch } from '../domain/approval/question.ts';
import { proofOf } from '../domain/approval/refusal.ts';
import type { ReportApprovals } from '../domain/report/report.ts';
import type { Store } from '../store/index.ts';

/** What approvers were asked, and what each of them said; every signature is verified once more. */
export async function reportApprovals(
  { approvals }: Store,
  batch: BatchRecord,
): Promise<ReportApprovals> {
  const policy = batch.rules?.approval ?? null;
  const given = await approvals.list(batch.batchId);
  return {
    policy: sentences(batch),
    mode: questionOfBatch(batch, null)?.policy.mode ?? null,
    given: given.map(({ approval, atMs }) => {
      const person = policy === null ? undefined : personNamed(policy, approval.person);
      const publicKey = person?.publicKey ?? null;
      const takenAt = new Date(atMs).toISOString();
      return { ...approval, publicKey, proof: proofOf(approval, publicKey), takenAt };
    }),
  };
}

function sentences({ digest, rules, summary }: BatchRecord): string[] {
  if (digest === null || summary === null) return ['No approval was asked for: no plan was made.'];
  return policyText(rules?.approval ?? null, summary.currencies);
}
