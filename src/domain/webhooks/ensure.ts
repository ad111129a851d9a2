import type { WireEventType } from '@bursar/merchant-api/spec';
import type { WebhookHealth } from './standing.ts';
import type { SubscriptionFacts } from './subscription.ts';

/** The subscription as it is to be. */
export type WantedSubscription = Readonly<{ url: string; eventTypes: readonly WireEventType[] }>;

/**
 * What makes it so. `replace`: a new one, and then the old one is deleted; the service shows no way to enable one.
 * `unblock`: nothing but a person in the service's own interface.
 */
export type EnsureStep =
  | Readonly<{ act: 'nothing' | 'unblock'; id: string }>
  | (Readonly<{ act: 'create' }> & WantedSubscription)
  | (Readonly<{ act: 'change'; id: string }> & WantedSubscription)
  | (Readonly<{ act: 'replace'; id: string }> & WantedSubscription);

/** The next step for our subscription. Further event types of it stay. */
export function planEnsure(
  { ours, strays }: WebhookHealth,
  wanted: WantedSubscription,
): EnsureStep {
  if (ours !== undefined) return mend(ours, wanted);
  const usable = strays.find(({ enabled, blocked }) => enabled && !blocked);
  return usable === undefined ? { act: 'create', ...wanted } : mend(usable, wanted);
}

function mend(
  subscription: SubscriptionFacts,
  { url, eventTypes }: WantedSubscription,
): EnsureStep {
  const { id } = subscription;
  if (subscription.blocked) return { act: 'unblock', id };
  const all = [...new Set([...subscription.eventTypes, ...eventTypes])];
  if (!subscription.enabled) return { act: 'replace', id, url, eventTypes: all };
  const isSame = subscription.url === url && all.length === subscription.eventTypes.length;
  return isSame ? { act: 'nothing', id } : { act: 'change', id, url, eventTypes: all };
}
