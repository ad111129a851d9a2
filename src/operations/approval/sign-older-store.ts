import type { Settings } from '../../config.ts';
import { olderStoreSubject } from '../../domain/approval/older-store.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Store } from '../../store/index.ts';
import type { OperationContext } from '../context.ts';
import { actingPerson, type KeyFlag } from './submitter.ts';

type Place = Readonly<{
  settings: Settings;
  store: Store;
  context: OperationContext;
}>;

/**
 * Signs the statement that the store is an older copy, or lost, where a policy counts signatures. From then on lookups
 * decide which creates leave. Returns null where no policy counts signatures. Throws APPROVAL_UNSIGNED without a key.
 */
export async function signOlderStore(
  flags: KeyFlag & Readonly<{ reason: string }>,
  { settings, store, context }: Place,
): Promise<Approval | null> {
  const { reason, ...key } = flags;
  const policy = await policyInForce({ settings, store, context });
  if (policy === undefined) return null;
  const person = await actingPerson(key, policy, { settings, context });
  const { hash } = await store.audit.head();
  const signed = person.sign(olderStoreSubject(hash), { decision: 'store-older', reason });
  if (signed === null) throw new BursarError('APPROVAL_UNSIGNED', { person: person.name });
  return signed;
}

/** The signed policy of the settings, else of an open batch: the settings of this command may name none. */
async function policyInForce({ settings, store }: Place): Promise<ApprovalPolicy | undefined> {
  const open = await store.batches.listOpen();
  const policies = [settings.rules.approval, ...open.map(({ rules }) => rules?.approval ?? null)];
  return policies.find((policy) => policy !== null && policy.mode === 'signed') ?? undefined;
}
