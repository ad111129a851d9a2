import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { PayeeActor } from '../../domain/payees/payee.ts';
import { actorOf, unsignedActorOf } from '../batch/actor.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';

/** The account of the settings, whose register is meant. @throws SETTING_MISSING */
export function payeeAccount({ settings }: Sources): string {
  const { account } = settings.api;
  if (account !== undefined) return account;
  throw new BursarError('SETTING_MISSING', {
    setting: 'api.account',
    variable: 'BURSAR_API_ACCOUNT',
  });
}

/** The person at this machine, as the register and the audit log name them. */
export async function payeeActor(sources: Sources, context: OperationContext): Promise<PayeeActor> {
  const by = actorOf(sources.settings, context);
  const actor = await unsignedActorOf(sources, { by, batchId: null });
  return { by: actor, atMs: context.clock.nowMs() };
}
