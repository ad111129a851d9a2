import type { EventType } from '@bursar/merchant-api/spec';
import { fieldOf, listOf } from './expect.ts';

/** The actions of people in the service's own interface, through the sandbox's admin API. */
export type InterfaceUser = Readonly<{
  /**
   * Sets how many people must confirm a mass payout. With null the settings of the sandbox decide.
   */
  demandConfirmations(people: number | null): Promise<void>;
  confirm(massPayoutId: string): Promise<void>;
  decline(massPayoutId: string): Promise<void>;
  /** Resends the failed withdrawals of a mass payout. */
  resend(massPayoutId: string): Promise<void>;
  /** Ends the blocking of a subscription. */
  unblock(requestId: string): Promise<void>;
  /** Announces an event of a type. Nothing else changes. */
  announce(type: EventType): Promise<void>;
}>;

export function createInterfaceUser({
  adminUrl,
  account,
}: Readonly<{ adminUrl: string; account: string }>): InterfaceUser {
  async function call(method: 'GET' | 'POST', path: string, input?: object): Promise<unknown> {
    const response = await fetch(`${adminUrl.replace(/\/+$/, '')}/sandbox/${path}`, {
      method,
      ...(input === undefined
        ? {}
        : {
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(input),
          }),
    });
    if (!response.ok) throw new Error(`the admin API answered ${path} with ${response.status}`);
    return response.json();
  }
  const act = async (kind: string, id: string): Promise<void> =>
    void (await call('POST', `mass-payouts/${kind}`, { id }));

  return {
    demandConfirmations: async (confirmations) =>
      void (await call('POST', 'accounts', { account, confirmations })),
    confirm: (id) => act('confirm', id),
    decline: (id) => act('decline', id),
    resend: (id) => act('resend', id),
    async unblock(requestId) {
      const known = listOf(fieldOf(await call('GET', 'webhooks'), 'subscriptions'));
      const found = known.find((each) => fieldOf(each, 'requestId') === requestId);
      await call('POST', 'webhooks/unblock', { id: fieldOf(found, 'id') });
    },
    announce: async (type) => void (await call('POST', 'events', { type, account })),
  };
}
