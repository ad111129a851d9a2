import type { Settings } from '../../config.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import type { Store } from '../../store/index.ts';
import type { OperationContext } from '../context.ts';

/** As whom the person at this machine acts: `operator.name` of the settings, else the user's name. */
export const actorOf = ({ operator }: Settings, { user }: OperationContext): string =>
  operator.name ?? user;

/**
 * The actor of an audit entry for an act without a signature. The name is marked where the policy of the batch, or of
 * the settings, counts signatures.
 */
export async function unsignedActorOf(
  { settings, store }: Readonly<{ settings: Settings; store: Store }>,
  { by, batchId }: Readonly<{ by: string; batchId: string | null }>,
): Promise<string> {
  const batch = batchId === null ? undefined : await store.batches.find(batchId);
  const policy = batch?.rules?.approval ?? settings.rules.approval;
  return unsignedActor(policy, by);
}
