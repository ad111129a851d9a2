import type { Service } from '../../../src/activities/service/service.ts';
import type { FeeItem, MassPayout, Reference } from '@bursar/merchant-api';
import {
  answer,
  failed,
  fakeService,
  payloadOf,
  refused,
  walletsAt,
} from '../../support/fake-service.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';

/** Everything that the service has: mass payouts, and the keys of all creates in their order. */
export type ServiceState = Readonly<{ payouts: MassPayout[]; creates: string[] }>;

export type AttackedService = ReturnType<typeof attackedService>;

/** A service that keeps its rules and lists every create. `cut`: creates are lost before they arrive.
 * `fee`: the fee of one row. `balance`: what the account has of each currency. */
export function attackedService(from: ServiceState = { payouts: [], creates: [] }) {
  const state: ServiceState = structuredClone(from);
  const how = {
    cut: false,
    fee: '0.01',
    balance: '1000000',
    /** What happens while a create waits for its turn. */
    onPace: (): Promise<unknown> => Promise.resolve(),
  };
  const find = (reference: Reference): MassPayout | undefined =>
    state.payouts.find((payout) =>
      'id' in reference
        ? payout.id === reference.id
        : payout.idempotencyKey === reference.idempotencyKey,
    );
  const create = (payloadText: string) => {
    const { idempotencyKey } = JSON.parse(payloadText) as { idempotencyKey: string };
    state.creates.push(idempotencyKey);
    if (how.cut) return Promise.reject(failed('no-answer'));
    const payout = { id: `mp-${state.creates.length}`, state: 'CONFIRMED', idempotencyKey };
    state.payouts.push({ ...payout, withdrawalErrors: [], unreadableParts: [] });
    return Promise.resolve(answer({ ...payout, withdrawalErrors: [], unreadableParts: [] }));
  };
  const read = (reference: Reference) => {
    const payout = find(reference);
    return payout === undefined ? Promise.reject(refused(404)) : Promise.resolve(answer(payout));
  };
  const quote = ({ baseAmount: amount, currency, opType }: FeeItem) => {
    const feeSender = { amount, fee: how.fee };
    return { amount, currency, opType, feeSender, feeReceiver: { amount, fee: '0' } };
  };
  const balances = () =>
    ['USDT_TRC20', 'USDC_ERC20'].map((currency) => ({ currency, amount: how.balance }));
  const service: Service = {
    ...fakeService(
      {
        createMassPayout: (input) => create(payloadOf(input)),
        readMassPayout: read,
        readBalance: () =>
          Promise.resolve(
            answer({ account: ACCOUNT, name: 'Main', balances: balances(), unreadableParts: [] }),
          ),
        calculateFees: ({ items }) => Promise.resolve(answer(items.map(quote))),
        eachWallet: walletsAt(),
        listWebhookSubscriptions: () =>
          Promise.resolve(answer({ subscriptions: [], unreadableParts: [] })),
      },
      ['LOOKUP', 'TRANSACTION_LIST'],
    ),
    account: ACCOUNT,
    pace: async () => void (await how.onPace()),
  };
  return {
    state,
    service,
    how,
    /** Changes the state of the mass payout under a key. */
    settle(key: string, to: string): void {
      const at = state.payouts.findIndex(({ idempotencyKey }) => idempotencyKey === key);
      const payout = state.payouts[at];
      if (payout !== undefined) state.payouts[at] = { ...payout, state: to };
    },
  };
}
