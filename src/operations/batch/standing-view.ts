import { isPasskeyText } from '../../domain/approval/passkey.ts';
import { personNamed } from '../../domain/approval/people.ts';
import type { Question } from '../../domain/approval/question.ts';
import { type StoredStatement, storedStatements } from '../../domain/approval/stored-statements.ts';
import type { ApprovalGap } from '../../domain/approval/gaps.ts';
import { standingOf } from '../../domain/approval/standing.ts';
import type { Approval, ApprovalDecision } from '../../domain/approval/statement.ts';
import type { ErrorCode } from '../../domain/errors/catalogue.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';
import type { Money } from '../../domain/plan/rules.ts';
import type { BatchView } from '../../domain/report/report.ts';
import type { Canceled } from '../../store/batches/types.ts';
import type { BatchSnapshot } from './standing.ts';
import type { WorkerSilence } from './worker-silence.ts';

/** An answer of an approver. Instants are ISO 8601 in UTC. */
export type StatementView = Readonly<{
  person: string;
  decision: ApprovalDecision;
  reason: string;
  issuedAt: string;
  /** The subject: the plan, or a hold of it. */
  about: 'plan' | 'hold';
  /** The kind of key that signed it; null: it is unsigned, or not genuine. */
  signedBy: 'passkey' | 'ed25519' | null;
  /** Whether its person made it. Another one was changed, or written by another program. */
  isGenuine: boolean;
  /** Why it does not count now, in a sentence; null: it counts. */
  why: string | null;
  /** The code of that; null: it counts, or its text cannot be read. */
  code: ErrorCode | null;
}>;

/** The work of the workflow of a batch now. `since`: ISO 8601 in UTC. */
export type ActivityView = Readonly<{
  state: BatchState;
  since: string;
  /** In one sentence. */
  note: string;
  /** Whether it pays nothing more, since it is held. */
  isHeld: boolean;
  canceledBy: string | null;
}>;

/** Where a batch stands: its view, and what only an open batch has. Each missing part does not apply. */
export type ShownBatch = BatchView &
  Readonly<{
    /** Whether nothing more happens by itself. */
    isOver: boolean;
    activity?: ActivityView;
    /** The missing amounts while it waits for funds. */
    short?: readonly Money[];
    /** Until when it waits for a top-up, ISO 8601 in UTC. */
    fundsUntil?: string;
    /** Since when no worker answers. */
    worker?: WorkerSilence;
    canceled?: Canceled;
    /** Who submitted it, when (ISO 8601 in UTC), and its file; missing before a worker has written it down. */
    submittedBy?: string;
    submittedAt?: string;
    file?: Readonly<{ name: string; sha256: string }>;
    /** Whether a worker has written it down; one that was refused at once never is. */
    isRegistered: boolean;
    /** Whether it waits in the queue of workers that answer. */
    isQueued: boolean;
    /** The answers of approvers to the open question, and who is missing, in sentences. */
    approval?: Readonly<{
      given: readonly StatementView[];
      missing: readonly string[];
      gaps: readonly ApprovalGap[];
    }>;
    /**
     * All answers of approvers, the oldest first; missing: there is none. Those to the open question are judged by the
     * present time, the others by the time at which a worker took them.
     */
    decisions?: readonly StatementView[];
    /** Whether approvals lift the holds of rules; otherwise `resume` does. */
    holdsLiftedBy: 'approve' | 'resume';
    /** The trouble of its workflow, in a sentence. */
    trouble?: string;
  }>;

/** The standing of a batch at `nowMs`, as programs read it. */
export function standingView(snapshot: BatchSnapshot, nowMs: number): ShownBatch {
  const { view, record, isOver, live, isSilent, silence } = snapshot;
  const { canceled, trouble, goesOnByApproval } = snapshot;
  return {
    ...view,
    isOver,
    isRegistered: record !== null,
    isQueued: isSilent && silence === null,
    ...(live === null ? {} : { activity: activityOf(live) }),
    ...(live?.short === undefined ? {} : { short: live.short }),
    ...(live?.fundsUntil === undefined ? {} : { fundsUntil: live.fundsUntil }),
    ...(silence === null ? {} : { worker: silence }),
    ...(canceled === null ? {} : { canceled }),
    ...submissionPart(snapshot),
    ...approvalPart(snapshot, nowMs),
    ...decisionsPart(snapshot, nowMs),
    holdsLiftedBy: goesOnByApproval ? 'approve' : 'resume',
    ...(trouble === null ? {} : { trouble }),
  };
}

function submissionPart({ record }: BatchSnapshot) {
  if (record === null) return {};
  const { submittedBy, submittedAtMs, fileName: name, fileSha256: sha256 } = record;
  return {
    submittedBy,
    submittedAt: new Date(submittedAtMs).toISOString(),
    file: { name, sha256 },
  };
}

const activityOf = ({
  state,
  since,
  note,
  holds,
  canceledBy,
}: NonNullable<BatchSnapshot['live']>): ActivityView => ({
  state,
  since,
  note,
  isHeld: state === 'PAYING' && holds.length > 0,
  canceledBy,
});

function approvalPart(
  { asked, view: { digest } }: BatchSnapshot,
  nowMs: number,
): Pick<ShownBatch, 'approval'> {
  if (asked === null) return {};
  const { question, given } = asked;
  const { missing, gaps } = standingOf(question, given, nowMs);
  return {
    approval: {
      given: statementViews(question, { given, digest, atMs: nowMs }),
      missing,
      gaps,
    },
  };
}

function decisionsPart(
  { view: { digest }, asked, decided: { question, given } }: BatchSnapshot,
  nowMs: number,
): Readonly<{ decisions?: readonly StatementView[] }> {
  if (question === null || given.length === 0) return {};
  const decisions = given.flatMap(({ approval, atMs: takenMs }) => {
    const { subject } = approval;
    const atMs = subject === asked?.question.subject ? nowMs : takenMs;
    return statementViews({ ...question, subject }, { given: [approval], digest, atMs });
  });
  return { decisions };
}

/** `digest`: of the plan. */
type Stated = Readonly<{ given: readonly Approval[]; digest: string | null; atMs: number }>;

/** The stored answers to a question, judged at `atMs`, as programs read them. */
export const statementViews = (
  question: Question,
  { given, digest, atMs }: Stated,
): readonly StatementView[] =>
  storedStatements(question, given, atMs).map((statement) => ({
    person: statement.approval.person,
    decision: statement.approval.decision,
    reason: statement.approval.reason,
    issuedAt: statement.approval.issuedAt,
    about: question.subject === digest ? 'plan' : 'hold',
    signedBy: signerOf(statement, question),
    isGenuine: statement.isGenuine,
    why: statement.why,
    code: statement.code,
  }));

function signerOf(
  { approval, isGenuine }: StoredStatement,
  { policy }: Question,
): StatementView['signedBy'] {
  if (!isGenuine || approval.signature === null) return null;
  const publicKey = personNamed(policy, approval.person)?.publicKey ?? '';
  return isPasskeyText(publicKey) ? 'passkey' : 'ed25519';
}
