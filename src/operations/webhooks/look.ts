import { ask } from '../service/ask.ts';
import { type OurHooks } from '../../domain/webhooks/hook-address.ts';
import { refuseHiddenOurs } from '../../domain/webhooks/hidden-ours.ts';
import { judgeSubscriptions, type WebhookHealth } from '../../domain/webhooks/standing.ts';
import { subscriptionFacts } from '../../domain/webhooks/subscription.ts';
import type { WebhookSubscription } from '@bursar/merchant-api';
import type { ServiceAccess } from '../context.ts';

/** The subscriptions of the account as the service lists them now, and how ours is. */
export type Looked = WebhookHealth & Readonly<{ listed: readonly WebhookSubscription[] }>;

/** Lists the subscriptions and judges ours. Throws SERVICE_LACKS_OPERATION where the service does not list them. */
export async function lookAtSubscriptions(
  service: ServiceAccess,
  hooks: OurHooks,
): Promise<Looked> {
  const answer = await ask(service, { call: (api) => api.listWebhookSubscriptions() });
  const listed = answer.subscriptions;
  const facts = listed.map((one) => subscriptionFacts(one, Date.parse));
  const health = judgeSubscriptions(facts, hooks);
  refuseHiddenOurs(health, answer);
  return { ...health, listed };
}
