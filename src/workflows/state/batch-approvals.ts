import type { Act } from '../../contract/messages.ts';
import type { ApprovalStatus, GivenStatus } from '../../contract/status.ts';
import { approvalName, verifiedApprovals } from '../../domain/approval/given-approvals.ts';
import { type Question, questionOf } from '../../domain/approval/question.ts';
import {
  impossibilityOf,
  type ApprovalProgress,
  standingFrom,
} from '../../domain/approval/standing.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { askedHoldOf, type Hold } from '../../domain/holds/hold.ts';
import { type BatchEvent, type BatchRunState, isStoppedByPerson } from './batch-state.ts';

/** States in which the plan is carried out: it can no longer be approved or refused. */
const PAYING_STATES: readonly BatchState[] = ['PAYING', 'SETTLING'];

/** The hold of a rule that approvers decide about; null: none is open. */
export const askedHold = (state: BatchRunState): Hold | null =>
  askedHoldOf(state.holds.open, isStoppedByPerson(state));

/** The question about the plan itself; null when the plan needs no approval, or is not made yet. */
const planQuestion = (state: BatchRunState): Question | null => questionAbout(state, null);

/** The question that is put before approvers now; null: none is. */
export function openQuestion(state: BatchRunState): Question | null {
  const hold = askedHold(state);
  return hold === null && PAYING_STATES.includes(state.state) ? null : questionAbout(state, hold);
}

function questionAbout(
  { plan, batchId, submittedBy }: BatchRunState,
  hold: Hold | null,
): Question | null {
  return plan === null ? null : questionOf({ ...plan, batchId, submittedBy, hold });
}

const standingAt = (state: BatchRunState, question: Question, nowMs: number): ApprovalProgress =>
  standingFrom(question, verifiedApprovals(question, state.approvals), nowMs);

/** Whether the plan may go on now. An approval that is being recorded is waited for. */
export function isPlanApproved(state: BatchRunState, nowMs: number): boolean {
  const question = planQuestion(state);
  if (question === null) return true;
  return state.approvals.pending.length === 0 && standingAt(state, question, nowMs).satisfied;
}

/** Whether approvers have lifted the hold that they decide about. */
export function isHoldApproved(state: BatchRunState, nowMs: number): boolean {
  const question = openQuestion(state);
  return question !== null && standingAt(state, question, nowMs).satisfied;
}

/** Whether the plan, and the holds of rules, go on by approval alone. */
export const needsApproval = (state: BatchRunState): boolean => planQuestion(state) !== null;

/** Why the plan can never be approved; null when it can. */
export function approvalImpossibility(state: BatchRunState): ErrorNote | null {
  const question = planQuestion(state);
  const facts = question === null ? null : impossibilityOf(question);
  return facts === null ? null : noteOf('APPROVAL_IMPOSSIBLE', facts);
}

/** The result of the approvals at this instant. Approvals lapse, so it changes with time. */
export const judgeApprovals = (state: BatchRunState, nowMs: number): BatchEvent => ({
  kind: 'judged',
  approval: approvalStatus(state, nowMs),
  refused:
    refusalOf(state, planQuestion(state), nowMs) ?? refusalOf(state, openQuestion(state), nowMs),
});

function refusalOf(state: BatchRunState, question: Question | null, nowMs: number): Act | null {
  const [refusal] = question === null ? [] : standingAt(state, question, nowMs).refusals;
  return refusal === undefined ? null : { by: refusal.person, reason: refusal.reason };
}

/** The question to approvers, and their decisions; null: there is no question. */
export function approvalStatus(state: BatchRunState, nowMs: number): ApprovalStatus | null {
  const question = openQuestion(state);
  if (question === null) return null;
  const { subject } = question;
  const sound = new Set(verifiedApprovals(question, state.approvals).map(approvalName));
  const about = state.approvals.recorded.filter((approval) => approval.subject === subject);
  return {
    subject,
    missing: standingAt(state, question, nowMs).missing,
    given: about.filter((one) => sound.has(approvalName(one))).map(givenStatus),
    notGenuine: about.filter((one) => !sound.has(approvalName(one))).map(givenStatus),
  };
}

const givenStatus = ({ person, decision, issuedAt, expiresAt }: Approval): GivenStatus => ({
  person,
  decision,
  at: issuedAt,
  expiresAt,
});
