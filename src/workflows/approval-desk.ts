import { CancellationScope, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Act, ApproveInput } from '../contract/messages.ts';
import { UPDATE_APPROVE } from '../contract/names.ts';
import type { ApprovalStatus } from '../contract/status.ts';
import type { ApprovalPolicy } from '../domain/approval/policy.ts';
import { type Question, questionOf } from '../domain/approval/question.ts';
import { refusalOf } from '../domain/approval/refusal.ts';
import type { CurrencyTotal } from '../domain/approval/requirements.ts';
import {
  impossibilityOf,
  soundApprovals,
  type Standing,
  standingFrom,
} from '../domain/approval/standing.ts';
import type { Approval } from '../domain/approval/statement.ts';
import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import type { Hold } from '../domain/holds/hold.ts';
import { recordApproval, releaseHold } from './activities.ts';
import { refuse } from './hold-desk.ts';

export const approveUpdate = defineUpdate<void, [ApproveInput]>(UPDATE_APPROVE);

/** What approvals ask of the desk of their batch. */
type ApprovalPlace = Readonly<{
  batchId: string;
  submittedBy: string;
  /** Why nobody can decide anything any more; undefined while somebody can. */
  endedNote(): ErrorNote | undefined;
  /** The hold of a rule that is on. */
  hold(): Hold | null;
  /** Whether the plan can still be approved or refused: it was not allowed to pay yet. */
  isPlanOpen(): boolean;
  drop(hold: Hold): void;
  changed(): void;
}>;

/** The plan that is put before approvers. */
export type ProposedPlan = Readonly<{
  policy: ApprovalPolicy | null;
  digest: string;
  totals: readonly CurrencyTotal[];
}>;

export type ApprovalDesk = ReturnType<typeof openApprovalDesk>;

/** The approvals of a batch: whether its plan, or what it is held for, may go on, and who must still say so. */
export function openApprovalDesk(place: ApprovalPlace) {
  const given: Approval[] = [];
  let plan: ProposedPlan | null = null;
  const questionAbout = (hold: Hold | null): Question | null =>
    plan === null ? null : questionOf({ ...place, ...plan, hold });
  const question = (): Question | null => {
    const hold = place.hold();
    return hold === null && !place.isPlanOpen() ? null : questionAbout(hold);
  };
  const standing = createStanding(given);
  listen(place, { given, question, standing });
  return {
    propose: (proposed: ProposedPlan): void => {
      plan = proposed;
    },
    restore: (approvals: readonly Approval[]): void => {
      given.push(...approvals);
    },
    /** Whether the plan may go on now. */
    isApproved: (): boolean => {
      const about = questionAbout(null);
      return about === null || standing(about).satisfied;
    },
    /** Who refused, and why. */
    refusedBy: (): Act | null =>
      refusalAct(questionAbout(null), standing) ?? refusalAct(question(), standing),
    /** Why the plan can never be approved. */
    impossibility: (): ErrorNote | null => {
      const about = questionAbout(null);
      const facts = about === null ? null : impossibilityOf(about);
      return facts === null ? null : noteOf('APPROVAL_IMPOSSIBLE', facts);
    },
    needsApproval: (hold: Hold): boolean => questionAbout(hold) !== null,
    status: (): ApprovalStatus | null => statusOf(question(), given, standing),
  };
}

type StandingOf = (question: Question) => Standing;

/** Signatures take milliseconds to verify, and a batch asks often: each is verified once for each question. */
function createStanding(given: readonly Approval[]): StandingOf {
  let known = { subject: '', count: -1, sound: [] as Approval[] };
  return (question) => {
    const { subject } = question;
    if (known.subject !== subject || known.count !== given.length) {
      known = { subject, count: given.length, sound: soundApprovals(question, given) };
    }
    return standingFrom(question, known.sound, Date.now());
  };
}

type Asked = Readonly<{
  given: Approval[];
  question(): Question | null;
  standing: StandingOf;
}>;

function listen(place: ApprovalPlace, { given, question, standing }: Asked): void {
  const { batchId } = place;
  const validate = ({ approval }: ApproveInput): void =>
    refuse(
      place.endedNote() ??
        refusalOf(approval, question(), { given, nowMs: Date.now() }) ??
        undefined,
    );
  setHandler(
    approveUpdate,
    async ({ approval }) => {
      // Another update may have come in between, and one counts once.
      validate({ approval });
      given.push(approval);
      const hold = place.hold();
      const recorded = await inOrder(() => recordApproval({ batchId, approval, hold })).catch(
        (error: unknown) => {
          given.splice(given.indexOf(approval), 1);
          throw error;
        },
      );
      if (recorded.kind === 'refused') {
        given.splice(given.indexOf(approval), 1);
        refuse(recorded.error);
      }
      await releaseIfApproved(place, question(), standing);
      place.changed();
    },
    { validator: validate },
  );
}

/** Handlers run in the workflow's own scope, which may have been canceled long ago. */
const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> =>
  CancellationScope.nonCancellable(work);

async function releaseIfApproved(
  { batchId, hold: openHold, drop }: ApprovalPlace,
  question: Question | null,
  standing: StandingOf,
): Promise<void> {
  const hold = openHold();
  if (hold === null || question === null) return;
  const { satisfied, approvals } = standing(question);
  if (!satisfied) return;
  const by = approvals.map(({ person }) => person).join(', ');
  await inOrder(() => releaseHold({ batchId, n: hold.n, by, reason: 'approved' }));
  drop(hold);
}

function refusalAct(question: Question | null, standing: StandingOf): Act | null {
  const [refusal] = question === null ? [] : standing(question).refusals;
  return refusal === undefined ? null : { by: refusal.person, reason: refusal.reason };
}

function statusOf(
  question: Question | null,
  given: readonly Approval[],
  standing: StandingOf,
): ApprovalStatus | null {
  if (question === null) return null;
  const { subject } = question;
  return {
    subject,
    missing: standing(question).missing,
    given: given
      .filter((approval) => approval.subject === subject)
      .map(({ person, decision, issuedAt, expiresAt }) => ({
        person,
        decision,
        at: issuedAt,
        expiresAt,
      })),
  };
}
