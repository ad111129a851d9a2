import type { HoldKind, PastHold } from '../holds/hold.ts';
import { type ChunkAnswer, questionOfAnswer } from './answer.ts';
import { isReleased, type ReleaseTimes } from './due.ts';
import { instantMs } from './instant.ts';
import { type ApprovedBatch, type Question, questionOfBatch } from './question.ts';
import { standingOf } from './standing.ts';
import type { Approval } from './statement.ts';
import { type SubmissionSubject, submitterIn } from './submission.ts';

/** The records of a batch that decide whether it may pay. Times are milliseconds since 1970. */
export type AuthorityRecords = Readonly<{
  batch: ApprovedBatch &
    ReleaseTimes &
    Readonly<{
      /** null: the plan is older than signed submissions. */
      plannedAtMs: number | null;
      /** Whether the batch was canceled, or has ended. */
      isStopped: boolean;
    }>;
  /** Subjects that a submitter of this batch may have signed. */
  submissions: readonly SubmissionSubject[];
  statements: readonly Approval[];
  holds: readonly PastHold[];
}>;

/** Everything in the store that decides whether one chunk may be sent. */
export type AuthorityFacts = AuthorityRecords &
  Readonly<{
    /** The answer "not created" of the chunk, which allows another attempt; null: there is none. */
    answer: (ChunkAnswer & Readonly<{ atMs: number }>) | null;
  }>;

/** `unreleased`: the batch may not pay yet. `held`: a hold or a stop is on. `unapproved`: a signed statement is missing. */
export type PayVerdict = Readonly<
  { kind: 'may-pay' } | { kind: 'unreleased' | 'held' } | { kind: 'unapproved'; why: string }
>;

const MAY_PAY: PayVerdict = { kind: 'may-pay' };

/** Holds that the engine itself lifts when its own rule allows the payment again. Every other hold needs a person. */
export const RULE_LIFTED: readonly HoldKind[] = ['FEE_DRIFT', 'FEE_CAP', 'DAY_LIMIT', 'BALANCE'];

/**
 * Decides whether a create of this batch may leave now, from the store alone. Names in messages count for nothing. Without a
 * policy no signature is needed, and `mayPayNow` of the store decides by release and holds alone.
 *
 * Example: a rogue workflow calls `sendChunk`, receives an APPROVAL hold, and calls `releaseHold` as "bob". No statement of bob
 * names that hold, so this returns `unapproved` and nothing leaves.
 */
export function mayPay(facts: AuthorityFacts): PayVerdict {
  const { batch, holds } = facts;
  if (batch.isStopped) return { kind: 'held' };
  if (!isReleased(batch)) return { kind: 'unreleased' };
  if (holds.some(({ released }) => released === null)) return { kind: 'held' };
  const why = missingAuthority(facts);
  return why === null ? MAY_PAY : { kind: 'unapproved', why };
}

/** Why a released batch lacks its due time, or an approval that its policy needs; null when it lacks none. */
export function missingAuthority(facts: AuthorityFacts): string | null {
  const { batch, holds } = facts;
  if (!isReleased(batch)) return 'it was released before the time that its plan names';
  const question = questionOfBatch(batch, null);
  if (question === null) return null;
  return (
    unsignedSubmission(facts, question) ??
    unapprovedPlan(facts, question) ??
    holds.map((hold) => unapprovedLift(facts, hold)).find((why) => why !== null) ??
    unapprovedAnswer(facts)
  );
}

function unsignedSubmission(
  { batch, submissions, statements }: AuthorityFacts,
  { policy }: Question,
): string | null {
  if (policy.mode === 'unsigned' || batch.plannedAtMs === null) return null;
  const submitter = submitterIn(policy, submissions, statements);
  return submitter === batch.submittedBy ? null : `${batch.submittedBy} did not sign the submit`;
}

/** An older copy of the store can lack the approvals of the plan. Then people approve the APPROVAL hold, which names the plan too. */
function unapprovedPlan(facts: AuthorityFacts, question: Question): string | null {
  const { batch, statements, holds } = facts;
  const standing = standingOf(question, statements, batch.releasedAtMs ?? 0);
  if (standing.satisfied) return null;
  const isApproved = holds.some(
    (hold) => hold.kind === 'APPROVAL' && hold.released !== null && isLiftApproved(facts, hold),
  );
  return isApproved
    ? null
    : `the plan is not approved: ${standing.missing.join('; ') || 'refused'}`;
}

function unapprovedLift(facts: AuthorityFacts, hold: PastHold): string | null {
  if (hold.released === null || isLiftedWithoutPeople(facts, hold)) return null;
  return isLiftApproved(facts, hold) ? null : `hold ${hold.n} was lifted without approvals`;
}

function isLiftedWithoutPeople({ batch }: AuthorityFacts, { kind, released }: PastHold): boolean {
  const basis = released?.basis ?? null;
  if (basis === 'rule') return RULE_LIFTED.includes(kind);
  // Nothing can be sent without a plan, and the approvals of the plan came later.
  return basis === 'unplanned' || (basis === null && batch.plannedAtMs === null);
}

function isLiftApproved({ batch, statements }: AuthorityFacts, hold: PastHold): boolean {
  const question = questionOfBatch(batch, hold);
  const atMs = instantMs(hold.released?.at ?? '');
  if (question === null || atMs === undefined) return false;
  return standingOf(question, statements, atMs).satisfied;
}

/** Why the answer for a chunk does not count; null when there is none, or people approved it. */
export function unapprovedAnswer({ batch, statements, answer }: AuthorityFacts): string | null {
  if (answer === null) return null;
  const question = questionOfAnswer(batch, answer);
  if (question === null || standingOf(question, statements, answer.atMs).satisfied) return null;
  return `the answer for chunk ${answer.chunk} is not approved`;
}
