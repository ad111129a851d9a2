import type { SomeModes } from '../../packages/sandbox/src/core/modes.ts';
import { sandboxAdmin } from './sandbox-admin.ts';

/** A mass payout as the admin API tells it. */
export type ShownMassPayout = Readonly<{
  id: string;
  state: string;
  idempotencyKey: string;
  externalId: string | null;
}>;

/** A webhook subscription as the admin API tells it; `deliveries` are counted by their status. */
export type ShownSubscription = Readonly<{
  id: string;
  blockedByErrorCount: boolean;
  deliveries: Readonly<Record<string, number>>;
}>;

type ShownFault = Readonly<{ fired: number; idempotencyKey?: string }>;

/** Asks the sandbox of a test to misbehave, to be played in another way, or to give money; and looks at it. */
export const sandboxControl = (sandboxUrl: string) => {
  const admin = sandboxAdmin(sandboxUrl);
  const faults = async (): Promise<ShownFault[]> =>
    ((await admin.get('faults')) as { faults: ShownFault[] }).faults;
  const massPayouts = async (): Promise<ShownMassPayout[]> => {
    const page = await admin.get('mass-payouts?limit=1000');
    return (page as { massPayouts: ShownMassPayout[] }).massPayouts;
  };
  return {
    fault: (rule: object) => admin.post('faults', rule),
    topUp: (currency: string, amount: string) => admin.post('top-up', { currency, amount }),
    /** Plays the service so from now on; what is left out is played as the settings have it. */
    play: (modes: SomeModes) => admin.put('modes', modes),
    /** From now on so many people must confirm each mass payout. */
    demandConfirmations: (confirmations: number) => admin.post('accounts', { confirmations }),
    announce: (type: string) => admin.post('events', { type }),
    /** How often the faults that were asked for, or those of one key, have fired; a fault that did not fire proves nothing. */
    async fired(idempotencyKey?: string): Promise<number> {
      const asked = (await faults()).filter(
        (fault) => idempotencyKey === undefined || fault.idempotencyKey === idempotencyKey,
      );
      return asked.reduce((sum, { fired }) => sum + fired, 0);
    },
    /** The same for each of them. */
    firedByRule: async (): Promise<number[]> => (await faults()).map(({ fired }) => fired),
    clearFaults: () => admin.delete('faults'),
    /** The mass payout of a chunk that was never sent anew; undefined while there is none. */
    async massPayoutOf(batchId: string, chunk: number): Promise<ShownMassPayout | undefined> {
      const all = await massPayouts();
      return all.find(({ externalId }) => externalId === `${batchId}/${chunk}/0`);
    },
    /** The mass payout under a key; undefined while there is none. */
    async massPayoutUnder(key: string): Promise<ShownMassPayout | undefined> {
      return (await massPayouts()).find(({ idempotencyKey }) => idempotencyKey === key);
    },
    /** Ends a mass payout that waits for a person in WAITING_COMPLETION_ERRORS. */
    endWaiting: (id: string) => admin.post('mass-payouts/end-waiting', { id }),
    async subscriptions(): Promise<readonly ShownSubscription[]> {
      const { subscriptions } = (await admin.get('webhooks')) as {
        subscriptions: ShownSubscription[];
      };
      return subscriptions;
    },
  };
};
