import { canonicalJson } from '../plan/canonical-json.ts';
import type { ApprovalPolicy } from './policy.ts';
import { subjectHash } from './question.ts';
import { unprovenBy } from './check-approval.ts';
import type { Approval } from './statement.ts';

/** The choices by which a batch is submitted. The digest of its plan follows from them and from the rules of the worker. */
export type Submission = Readonly<{
  batchId: string;
  accountRef: string;
  fileSha256: string;
  /** The options of the batch as JSON, in any order of fields. */
  optionsJson: string;
  generation: number;
  parentBatchId: string | null;
}>;

/** A schedule by which batches are submitted, as the store keeps it. */
export type ScheduleSubmission = Readonly<{ scheduleId: string; definitionJson: string }>;

/** A person who signed a submission; `statementOf` names the batch id that the statement carries. */
export type SubmissionSubject = Readonly<{ batchId: string; subject: string }>;

/** The subject of a `submit` statement for one batch. */
export const submissionSubject = (submission: Submission): SubmissionSubject => ({
  batchId: submission.batchId,
  subject: subjectHash('bursar-submit/v1', [
    submission.accountRef,
    submission.fileSha256,
    canonicalJson(JSON.parse(submission.optionsJson)),
    submission.generation,
    submission.parentBatchId,
  ]),
});

/** The subject of a `submit` statement for every run of a schedule; no batch id has a slash. */
export const scheduleSubject = (schedule: ScheduleSubmission): SubmissionSubject => ({
  batchId: `schedule/${schedule.scheduleId}`,
  subject: subjectHash('bursar-schedule/v1', [canonicalJson(JSON.parse(schedule.definitionJson))]),
});

/** The subject of a `submit` statement for one run that a person starts. `nominal`: the local time that names the run. */
export const demandSubject = (schedule: ScheduleSubmission, nominal: string): SubmissionSubject => {
  const { batchId, subject } = scheduleSubject(schedule);
  return { batchId, subject: subjectHash('bursar-run/v1', [subject, nominal]) };
};

/**
 * Returns the person who signed a submission, from any of the statements; undefined when none is genuine. A submission does not
 * expire: the approvals that follow do.
 */
export function submitterIn(
  policy: ApprovalPolicy,
  subjects: readonly SubmissionSubject[],
  statements: readonly Approval[],
): string | undefined {
  const isProven = (statement: Approval): boolean =>
    statement.decision === 'submit' &&
    subjects.some((about) => unprovenBy(statement, { policy, ...about }) === null);
  return statements.find(isProven)?.person;
}
