import type { Question } from './question.ts';
import { soundApprovals } from './standing.ts';
import { type Approval, statementText } from './statement.ts';

/** Approvals and refusals that approvers gave for one batch. Only those that the store recorded let anything go on. */
export type GivenApprovals = Readonly<{
  recorded: readonly Approval[];
  /** Approvals that the store is about to record. */
  pending: readonly Approval[];
}>;

export const NO_APPROVALS: GivenApprovals = { recorded: [], pending: [] };

export const withPending = (given: GivenApprovals, approval: Approval): GivenApprovals => ({
  ...given,
  pending: [...given.pending, approval],
});

export const withoutPending = (given: GivenApprovals, approval: Approval): GivenApprovals => ({
  ...given,
  pending: given.pending.filter((one) => one !== approval),
});

export const withRecorded = (given: GivenApprovals, approval: Approval): GivenApprovals => ({
  ...given,
  recorded: [...given.recorded, approval],
});

/**
 * Takes the approvals of the store in place of those from `before` it was read. What was recorded during the read stays.
 *
 * Example: the workflow has the approvals of bob and carol. The store was brought back from an older copy and has bob's alone.
 * Carol must approve again. Dave's approval, which came during the read, counts.
 */
export function withStored(
  given: GivenApprovals,
  stored: readonly Approval[],
  before: readonly Approval[],
): GivenApprovals {
  const known = new Set([...stored, ...before].map(approvalName));
  const since = given.recorded.filter((one) => !known.has(approvalName(one)));
  return { ...given, recorded: [...stored, ...since] };
}

/** Tells approvals apart: two with the same text and signature are one. */
export const approvalName = (one: Approval): string => `${statementText(one)}\n${one.signature}`;

const verified = new WeakMap<readonly Approval[], Map<string, readonly Approval[]>>();

/** The recorded approvals that are sound. A batch reads them often, and one takes milliseconds, so each list is verified once. */
export function verifiedApprovals(
  question: Question,
  { recorded }: GivenApprovals,
): readonly Approval[] {
  const bySubject = verified.get(recorded) ?? new Map<string, readonly Approval[]>();
  const sound = bySubject.get(question.subject) ?? soundApprovals(question, recorded);
  verified.set(recorded, bySubject.set(question.subject, sound));
  return sound;
}
