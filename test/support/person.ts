import { sandboxAdmin } from './sandbox-admin.ts';

/** What a person does in the service's own interface, however it is reached. Ids are those of the service. */
export type Person = Readonly<{
  confirm(massPayoutId: string): Promise<unknown>;
  decline(massPayoutId: string): Promise<unknown>;
  /** Sends every failed withdrawal of a mass payout again. */
  resend(massPayoutId: string): Promise<unknown>;
  endWaiting(massPayoutId: string): Promise<unknown>;
  unblock(subscriptionId: string): Promise<unknown>;
  topUp(currency: string, amount: string): Promise<unknown>;
}>;

/** A person whose acts go through the admin API. */
export function personAtAdminApi(sandboxUrl: string): Person {
  const { post } = sandboxAdmin(sandboxUrl);
  return {
    confirm: (id) => post('mass-payouts/confirm', { id }),
    decline: (id) => post('mass-payouts/decline', { id }),
    resend: (id) => post('mass-payouts/resend', { id }),
    endWaiting: (id) => post('mass-payouts/end-waiting', { id }),
    unblock: (id) => post('webhooks/unblock', { id }),
    topUp: (currency, amount) => post('top-up', { currency, amount }),
  };
}
