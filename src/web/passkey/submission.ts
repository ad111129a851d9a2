import type { WebPlan } from '../api/results.ts';
import { signDecision, type SignedDecision } from './decision.ts';

/** How long a signed submission counts, in milliseconds. The batch starts at once. */
const SUBMISSION_MS = 3_600_000;

/** A submission, and how it is signed. */
type AskedSubmission = Readonly<{
  submission: WebPlan['submission'];
  signing: WebPlan['signing'];
  person: string;
  reason: string;
}>;

/**
 * Lets the person sign a submission with their passkey, where the policy refuses one that nobody signed. @throws ApiFailure,
 * PasskeyFailure
 */
export async function signSubmission({
  submission,
  signing: { policy, isNeeded },
  person,
  reason,
}: AskedSubmission): Promise<Readonly<{ submission?: SignedDecision }>> {
  if (submission === null || !isNeeded || policy?.mode !== 'signed') return {};
  const { batchId, subject } = submission;
  const about = { batchId, subject, decision: 'submit', person, reason } as const;
  return { submission: await signDecision({ ...about, lastsMs: SUBMISSION_MS }) };
}
