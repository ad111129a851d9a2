import type { Client } from './client.ts';

export type SubscriptionJson = Readonly<{
  id: string;
  url: string;
  publicKey: string;
  enabled: boolean;
  blockedByErrorCount: boolean;
  errorCount: number;
  deliveries: Partial<Record<'WAITING' | 'DELIVERED' | 'GIVEN_UP' | 'HELD' | 'DROPPED', number>>;
}>;

export async function subscriptions(client: Client): Promise<SubscriptionJson[]> {
  const { text } = await client.get('/sandbox/webhooks');
  return (JSON.parse(text) as { subscriptions: SubscriptionJson[] }).subscriptions;
}

export async function subscription(client: Client): Promise<SubscriptionJson> {
  const [first] = await subscriptions(client);
  if (first === undefined) throw new Error('There is no subscription.');
  return first;
}
