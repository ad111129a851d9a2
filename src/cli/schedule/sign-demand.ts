import type { Demand } from '../../contract/schedule.ts';
import { reachOf } from '../../domain/approval/requirements.ts';
import { demandSubject } from '../../domain/approval/submission.ts';
import { actingPerson, type KeyFlag, signSubmit } from '../approval/submitter.ts';
import type { Sources } from '../batch/sources.ts';
import type { Context } from '../context.ts';
import type { Found } from './find.ts';

/** Signs that a person starts one run. Throws SUBMIT_UNSIGNED where every batch needs approvals and there is no key. */
export function signDemand(
  { record }: Pick<Found, 'record'>,
  asked: Pick<Demand, 'nominal' | 'reason'>,
  place: Readonly<{ flags: KeyFlag; sources: Pick<Sources, 'settings'>; context: Context }>,
): Demand {
  const { flags, sources, context } = place;
  const { settings } = sources;
  const { approval: policy } = settings.rules;
  const person = actingPerson(flags, policy, { settings, context });
  const about = demandSubject(record, asked.nominal);
  const isNeeded = reachOf(policy) === 'all';
  return { ...asked, by: person.name, ...signSubmit(person, about, { policy, isNeeded }) };
}
