import type { ApprovalPolicy } from './policy.ts';
import { subjectHash } from './question.ts';
import { unprovenBy } from './refusal.ts';
import type { Approval } from './statement.ts';
import type { SubmissionSubject } from './submission.ts';

/**
 * The subject of a `store-older` statement. It names the newest entry of the audit log, so that it counts for this copy of the store
 * alone. No batch id has a slash.
 */
export const olderStoreSubject = (headHash: string): SubmissionSubject => ({
  batchId: 'store/older',
  subject: subjectHash('bursar-store-older/v1', [headHash]),
});

/** Whether a person of the policy signed that the store, whose log ended with one of these entries, is an older copy. */
export const isOlderStoreSigned = (
  statement: Approval,
  { policy, heads }: Readonly<{ policy: ApprovalPolicy; heads: readonly string[] }>,
): boolean =>
  statement.decision === 'store-older' &&
  heads.some((hash) => unprovenBy(statement, { policy, ...olderStoreSubject(hash) }) === null);
