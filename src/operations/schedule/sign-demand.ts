import type { Demand } from '../../contract/schedule.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { reachOf } from '../../domain/approval/requirements.ts';
import { demandSubject } from '../../domain/approval/submission.ts';
import { type ActingPerson, signSubmit } from '../approval/submitter.ts';
import type { KnownSchedule } from './find.ts';

/** Signs that a person starts one run. Throws SUBMIT_UNSIGNED where every batch needs approvals and there is no key. */
export function signDemand(
  { record }: KnownSchedule,
  asked: Readonly<{ nominal: string; reason: string }>,
  { person, policy }: Readonly<{ person: ActingPerson; policy: ApprovalPolicy | null }>,
): Demand {
  const { nominal, reason } = asked;
  const about = demandSubject(record, nominal);
  const isNeeded = reachOf(policy) === 'all';
  return { ...asked, by: person.name, ...signSubmit(person, about, { policy, isNeeded, reason }) };
}
