import { randomBytes, randomUUID } from 'node:crypto';
import { Refused } from '../core/refusals.ts';
import type { Subscription, WebhookQueue } from '../store/webhooks.ts';
import { isUrlAllowed } from './addresses.ts';

/** Id of the subscription that comes from the settings; the same at every start. */
const SETTINGS_SUBSCRIPTION = 'settings';

export type Subscriptions = Readonly<{
  /** Adds a subscription; refuses an address that no webhook may go to. */
  add(url: string): Subscription;
  /** Makes the subscription of the settings what they say; null ends it. */
  applySettings(url: string | null): void;
}>;

export type SubscriptionsDeps = Readonly<{
  queue: WebhookQueue;
  allowPrivate: boolean;
  nowMs: () => number;
}>;

export function createSubscriptions({
  queue,
  allowPrivate,
  nowMs,
}: SubscriptionsDeps): Subscriptions {
  function subscribe(id: string, url: string): Subscription {
    if (!isUrlAllowed(url, allowPrivate)) throw new Refused('FIELD_INVALID', 'url: is not allowed');
    const secretKey = randomBytes(32).toString('hex');
    queue.subscribe({ id, url, publicKey: randomUUID(), secretKey, createdMs: nowMs() });
    const subscription = queue.subscriptions().find((each) => each.id === id);
    if (subscription === undefined) throw new Error('The subscription was not stored.');
    return subscription;
  }

  return {
    add: (url) => subscribe(randomUUID(), url),
    applySettings(url) {
      if (url !== null) subscribe(SETTINGS_SUBSCRIPTION, url);
      else queue.disable(SETTINGS_SUBSCRIPTION);
    },
  };
}
