import { type ErrorNote, noteOf } from '../errors/bursar-error.ts';
import { durationText } from '../text/duration.ts';
import { instantMs, instantText } from './instant.ts';
import { identityOf, isEntitled, isSubmitter, personNamed } from './people.ts';
import type { ApprovalPolicy, Person } from './policy.ts';
import type { Question } from './question.ts';
import { requirementsOf } from './requirements.ts';
import { isSignedBy } from './signature.ts';
import { type Approval, readApproval, statementText } from './statement.ts';

/** How far the clock of an approver may be ahead, in milliseconds. */
export const CLOCK_AHEAD_MS_MAX = 300_000;

/** What was approved or refused before, and what time it is. */
export type Standpoint = Readonly<{ given: readonly Approval[]; nowMs: number }>;

/**
 * Why what came as an approval, or as a refusal, does not count; null when it does. `given` may come from anybody and be
 * anything. `question`: what the batch puts before approvers now; null when that is nothing.
 */
export function refusalOf(
  given: unknown,
  question: Question | null,
  { given: before, nowMs }: Standpoint,
): ErrorNote | null {
  if (question === null) return noteOf('APPROVAL_NOT_NEEDED', {});
  const approval = readApproval(given);
  if (typeof approval === 'string') return noteOf('APPROVAL_UNREADABLE', { field: approval });
  return (
    unsoundness(approval, question) ??
    untimeliness(approval, nowMs) ??
    repetition(approval, question, { given: before, nowMs })
  );
}

/** Why an approval counts at no time: the part of the answer that takes milliseconds to find. */
export function unsoundness(approval: Approval, question: Question): ErrorNote | null {
  const { policy, batchId, subject, submittedBy, totals } = question;
  if (approval.batchId !== batchId || approval.subject !== subject) {
    const given = `${approval.subject} of batch ${approval.batchId}`;
    return noteOf('APPROVAL_FOR_ANOTHER', { given, expected: subject, batchId });
  }
  const person = personNamed(policy, approval.person);
  if (person === undefined) return noteOf('APPROVER_UNKNOWN', { person: approval.person });
  const forged = forgery(approval, policy, person);
  if (forged !== null) return forged;
  if (isSubmitter(policy, person, submittedBy)) {
    return noteOf('APPROVAL_BY_SUBMITTER', { person: person.name, submittedBy, batchId });
  }
  const requirements = requirementsOf(policy, totals);
  if (!requirements.some(({ tier }) => isEntitled(tier, person))) {
    const roles = requirements.flatMap(({ tier }) => [...tier.roles, ...tier.mustInclude]);
    const wanted = [...new Set(roles)].join(', ');
    return noteOf('APPROVER_NOT_ENTITLED', { person: person.name, roles: wanted });
  }
  return lastsAtMost(approval, policy.expiresAfterMs)
    ? null
    : noteOf('APPROVAL_TOO_LONG', { allowed: durationText(policy.expiresAfterMs) });
}

/** Whoever signs where nobody has to must sign well all the same: a report would show it as signed. */
function forgery(approval: Approval, { mode }: ApprovalPolicy, person: Person): ErrorNote | null {
  const proof = proofOf(approval, person.publicKey);
  if (proof === 'forged') return noteOf('APPROVAL_FORGED', { person: person.name });
  const isEnough = proof === 'signed' || mode === 'unsigned';
  return isEnough ? null : noteOf('APPROVAL_UNSIGNED', { person: person.name });
}

/** What shows that a person said something: their signature, nothing, or a signature that is not theirs. */
export type Proof = 'signed' | 'unsigned' | 'forged';

export function proofOf(approval: Approval, publicKey: string | null): Proof {
  const { signature } = approval;
  if (signature === null) return 'unsigned';
  const isGenuine = publicKey !== null && isSignedBy(publicKey, statementText(approval), signature);
  return isGenuine ? 'signed' : 'forged';
}

/** Why an approval does not count at this instant, though it is sound. */
export function untimeliness(approval: Approval, nowMs: number): ErrorNote | null {
  const now = instantText(nowMs);
  const { issuedAt, expiresAt } = approval;
  if (isFromFuture(approval, nowMs)) return noteOf('APPROVAL_FROM_FUTURE', { issuedAt, now });
  return isExpired(approval, nowMs) ? noteOf('APPROVAL_EXPIRED', { expiresAt, now }) : null;
}

/**
 * Nobody approves the same thing twice; but who approved may still refuse, and whose approval lapsed may approve again. What
 * is written down in somebody's name and is not genuine keeps them from nothing.
 */
function repetition(
  { person, decision }: Approval,
  question: Question,
  { given, nowMs }: Standpoint,
): ErrorNote | null {
  const { policy, subject, batchId } = question;
  const isSame = (one: Approval): boolean => identity(policy, one) === identity(policy, { person });
  const stands = (one: Approval): boolean =>
    one.decision === 'refuse' || (decision === 'approve' && !isExpired(one, nowMs));
  const earlier = given
    .filter((one) => one.subject === subject && isSame(one) && stands(one))
    .find((one) => isSound(one, question));
  return earlier === undefined
    ? null
    : noteOf('APPROVAL_REPEATED', { person, batchId, at: earlier.issuedAt });
}

function isSound(approval: Approval, question: Question): boolean {
  const read = readApproval(approval);
  return typeof read !== 'string' && unsoundness(read, question) === null;
}

const identity = (policy: ApprovalPolicy, { person }: Pick<Approval, 'person'>): string => {
  const known = personNamed(policy, person);
  return known === undefined ? person : identityOf(known);
};

export const isFromFuture = ({ issuedAt }: Approval, nowMs: number): boolean =>
  !(msOf(issuedAt) <= nowMs + CLOCK_AHEAD_MS_MAX);

/** At the very millisecond of its expiry an approval counts no more. */
export const isExpired = ({ expiresAt }: Approval, nowMs: number): boolean =>
  !(nowMs < msOf(expiresAt));

const lastsAtMost = ({ issuedAt, expiresAt }: Approval, ms: number): boolean =>
  msOf(expiresAt) - msOf(issuedAt) <= ms;

/** What is no instant lies in no time: no comparison with it is true, and those above then say no. */
const msOf = (instant: string): number => instantMs(instant) ?? Number.NaN;
