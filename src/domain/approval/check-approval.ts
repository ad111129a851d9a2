import { type ErrorNote, noteOf } from '../errors/bursar-error.ts';
import { durationText } from '../text/duration.ts';
import { instantMs, instantText } from './instant.ts';
import { identityOf, isEntitled, isSubmitter, personNamed } from './people.ts';
import type { ApprovalPolicy, Person } from './policy.ts';
import { type ApprovalSubject, consentOf, type Question } from './question.ts';
import { requirementsOf } from './requirements.ts';
import { isSignedBy } from './signature.ts';
import { type Approval, readApproval, statementText } from './statement.ts';

/** How far the clock of an approver may be ahead, in milliseconds. */
export const CLOCK_AHEAD_MS_MAX = 300_000;

/** The earlier approvals and refusals, and the present time. */
export type Standpoint = Readonly<{ given: readonly Approval[]; nowMs: number }>;

/**
 * Why an approval or a refusal does not count; null when it does. `given` may come from any program and be anything.
 * `question`: the present question of the batch; null when there is none.
 */
export function approvalFault(
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
  const { policy, batchId, submittedBy, totals } = question;
  const { decision } = approval;
  const isMeant = decision === consentOf(question) || (decision === 'refuse' && isPlain(question));
  const unproven = isMeant ? unprovenBy(approval, question) : otherSubject(approval, question);
  const person = personNamed(policy, approval.person);
  if (unproven !== null || person === undefined) return unproven;
  if (isSubmitter(policy, person, submittedBy)) {
    return noteOf('APPROVAL_BY_SUBMITTER', { person: person.name, submittedBy, batchId });
  }
  const requirements = requirementsOf(policy, totals);
  if (!requirements.some(({ tier }) => isEntitled(tier, person))) {
    const roles = requirements.flatMap(({ tier }) => [...tier.roles, ...tier.mustInclude]);
    const wanted = [...new Set(roles)].join(', ');
    return noteOf('APPROVER_NOT_ENTITLED', { person: person.name, roles: wanted });
  }
  return overlong(approval, question);
}

/** Only a plan, or a hold of it, can be refused. An answer for a chunk is given or not given. */
const isPlain = (question: Question): boolean => consentOf(question) === 'approve';

/** Why a statement does not prove that a person of the policy decided on this subject; null when it does. */
export function unprovenBy(statement: Approval, about: ApprovalSubject): ErrorNote | null {
  const { policy, batchId, subject } = about;
  if (statement.batchId !== batchId || statement.subject !== subject) {
    return otherSubject(statement, about);
  }
  const person = personNamed(policy, statement.person);
  return person === undefined
    ? noteOf('APPROVER_UNKNOWN', { person: statement.person })
    : forgery(statement, policy, person);
}

/**
 * Why a statement of one person of the policy does not count; null when it does. It is for acts that one person may
 * decide, the submitter too. `given` may come from any program and be anything.
 */
export function signerRefusal(given: unknown, question: Question, nowMs: number): ErrorNote | null {
  const statement = readApproval(given);
  if (typeof statement === 'string') return noteOf('APPROVAL_UNREADABLE', { field: statement });
  if (statement.decision !== consentOf(question)) return otherSubject(statement, question);
  return (
    unprovenBy(statement, question) ??
    overlong(statement, question) ??
    untimeliness(statement, nowMs)
  );
}

/** Why a statement does not count that would last longer than the policy allows. */
const overlong = (
  statement: Approval,
  { policy: { expiresAfterMs } }: Question,
): ErrorNote | null =>
  lastsAtMost(statement, expiresAfterMs)
    ? null
    : noteOf('APPROVAL_TOO_LONG', { allowed: durationText(expiresAfterMs) });

function otherSubject(given: Approval, { subject, batchId }: ApprovalSubject): ErrorNote {
  const shown = `${given.decision} of ${given.subject} of batch ${given.batchId}`;
  return noteOf('APPROVAL_FOR_ANOTHER', { given: shown, expected: subject, batchId });
}

/** A signature that is not needed must be right all the same: a report would show it as signed. */
function forgery(approval: Approval, { mode }: ApprovalPolicy, person: Person): ErrorNote | null {
  const proof = proofOf(approval, person.publicKey);
  if (proof === 'forged') return noteOf('APPROVAL_FORGED', { person: person.name });
  const isEnough = proof === 'signed' || mode === 'unsigned';
  return isEnough ? null : noteOf('APPROVAL_UNSIGNED', { person: person.name });
}

/** The proof of a person's statement: their signature, none, or a signature that is not theirs. */
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
 * A person cannot approve the same subject twice. After an approval the person may still refuse, and after it has
 * lapsed approve again. Entries in a person's name that are not genuine do not count here.
 */
function repetition(
  { person, decision }: Approval,
  question: Question,
  { given, nowMs }: Standpoint,
): ErrorNote | null {
  const { policy, subject, batchId } = question;
  const isSame = (one: Approval): boolean =>
    identityOfName(policy, one.person) === identityOfName(policy, person);
  const stands = (one: Approval): boolean =>
    one.decision === 'refuse' || (decision !== 'refuse' && !isExpired(one, nowMs));
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

const identityOfName = (policy: ApprovalPolicy, person: string): string => {
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

/** A text that is no instant becomes NaN: no comparison with it is true, so the checks above refuse it. */
const msOf = (instant: string): number => instantMs(instant) ?? Number.NaN;
