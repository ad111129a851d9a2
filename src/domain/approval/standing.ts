import type { ErrorFacts } from '../errors/catalogue.ts';
import { instantMs } from './instant.ts';
import { type ApprovalGap, approvalGaps, gapText } from './gaps.ts';
import { identityOf, personNamed } from './people.ts';
import { consentOf, type Question } from './question.ts';
import { isExpired, isFromFuture, unsoundness } from './check-approval.ts';
import { type Approval, readApproval } from './statement.ts';

/** How a question stands at one instant. */
export type ApprovalProgress = Readonly<{
  /** Whether the batch may go on: every requirement is met, and no person refused. */
  satisfied: boolean;
  /** Refusals of people who may refuse; they never lapse. */
  refusals: readonly Approval[];
  /** The approvals that count now, one for each person. */
  approvals: readonly Approval[];
  /** The missing approvals, in sentences such as "1 more of finance: bob, carol". */
  missing: readonly string[];
  /** The same, as counts and names. */
  gaps: readonly ApprovalGap[];
  /** Names of those whose approval would help. */
  mayApprove: readonly string[];
  /** Whether enough people are left for the missing approvals. */
  possible: boolean;
  /** When the first of the approvals lapses; null without any. */
  nextExpiry: string | null;
}>;

/** The state of a question at `atMs`, from the given approvals. Verifies every signature. */
export const standingOf = (
  question: Question,
  given: readonly unknown[],
  atMs: number,
): ApprovalProgress => standingFrom(question, soundApprovals(question, given), atMs);

/** Those that count while they last: right subject, person, role and signature. Takes milliseconds for each. */
export const soundApprovals = (question: Question, given: readonly unknown[]): Approval[] =>
  given
    .map(readApproval)
    .filter((one) => typeof one !== 'string')
    .filter((one) => unsoundness(one, question) === null);

/** The state of a question from approvals that were verified before. */
export function standingFrom(
  question: Question,
  sound: readonly Approval[],
  atMs: number,
): ApprovalProgress {
  const issued = sound.filter((one) => !isFromFuture(one, atMs));
  const refusals = issued.filter(({ decision }) => decision === 'refuse');
  const valid = issued.filter(
    (one) => one.decision === consentOf(question) && !isExpired(one, atMs),
  );
  const approvals = onePerPerson(question, valid);
  const gaps = approvalGaps(question, approvals);
  return {
    satisfied: gaps.length === 0 && refusals.length === 0,
    refusals,
    approvals,
    missing: gaps.map(gapText),
    gaps,
    mayApprove: [...new Set(gaps.flatMap(({ candidates }) => candidates))],
    possible: gaps.every(({ count, candidates }) => candidates.length >= count),
    nextExpiry: approvals.map(({ expiresAt }) => expiresAt).sort(byInstant)[0] ?? null,
  };
}

/** Of several approvals of one person, the one that lasts longest. */
function onePerPerson({ policy }: Question, valid: readonly Approval[]): Approval[] {
  const latest = new Map<string, Approval>();
  for (const approval of [...valid].sort((a, b) => byInstant(a.expiresAt, b.expiresAt))) {
    const person = personNamed(policy, approval.person);
    if (person !== undefined) latest.set(identityOf(person), approval);
  }
  return [...latest.values()];
}

const byInstant = (a: string, b: string): number => (instantMs(a) ?? 0) - (instantMs(b) ?? 0);

/**
 * Returns the missing approvals where a question can never be approved: too few people may, without the submitter.
 * null: it can.
 */
export function impossibilityOf(question: Question): ErrorFacts<'APPROVAL_IMPOSSIBLE'> | null {
  const { possible, missing } = standingFrom(question, [], 0);
  const { submittedBy } = question;
  return possible ? null : { submittedBy, missing: missing.join('; ') };
}
