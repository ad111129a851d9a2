import type { Settings } from '../../config.ts';
import type { Demand } from '../../contract/schedule.ts';
import { reachOf } from '../../domain/approval/requirements.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { demandSubject } from '../../domain/approval/submission.ts';
import type { OperationContext } from '../context.ts';
import type { SubmissionQuestion } from '../approval/submission-question.ts';
import { personOfSubmission, signSubmit } from '../approval/submitter.ts';
import type { KnownSchedule } from './find.ts';

/** The subject that a person signs who starts one run. */
export function demandQuestion(
  { record }: KnownSchedule,
  nominal: string,
  { rules }: Settings,
): SubmissionQuestion {
  const policy = rules.approval;
  return { ...demandSubject(record, nominal), policy, isNeeded: reachOf(policy) === 'all' };
}

type Asked = Readonly<{ nominal: string; reason: string; submission: Approval | undefined }>;

/** The demand of a person for one run. Throws SUBMIT_UNSIGNED where every batch needs approvals and there is no signature. */
export function demandOf(
  found: KnownSchedule,
  { nominal, reason, submission }: Asked,
  place: Readonly<{ settings: Settings; context: OperationContext }>,
): Demand {
  const { policy, isNeeded, ...about } = demandQuestion(found, nominal, place.settings);
  const person = personOfSubmission(submission, place);
  const signed = signSubmit(person, about, { policy, isNeeded, reason });
  return { nominal, reason, by: person.name, ...signed };
}
