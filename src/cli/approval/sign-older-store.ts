import { subjectHash } from '../../domain/approval/question.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Sources } from '../batch/sources.ts';
import type { Context } from '../context.ts';
import { actingPerson, type KeyFlag } from './submitter.ts';

/** The batch id of statements about the store; no batch can have it. */
const STORE = 'store/older';

/**
 * Signs that the store was brought back from an older copy, where the settings name approval tiers: from then on lookups decide
 * what is sent. The statement names the newest entry of the audit log, so that it counts for this copy alone. Returns null where
 * no policy counts signatures. Throws APPROVAL_UNSIGNED without a key.
 */
export async function signOlderStore(
  flags: KeyFlag,
  { settings, store }: Sources,
  context: Context,
): Promise<Approval | null> {
  const { approval: policy } = settings.rules;
  if (policy?.mode !== 'signed') return null;
  const person = await actingPerson(flags, policy, { settings, context });
  const { hash } = await store.audit.head();
  const about = { batchId: STORE, subject: subjectHash('bursar-store-older/v1', [hash]) };
  const signed = person.sign(about, { decision: 'store-older', reason: '' });
  if (signed === null) throw new BursarError('APPROVAL_UNSIGNED', { person: person.name });
  return signed;
}
