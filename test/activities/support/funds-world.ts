import { createFundsActivities } from '../../../src/activities/funds/funds.ts';
import type { FeeItem, MerchantClient, UnreadableParts } from '@bursar/merchant-api';
import type { Store } from '../../../src/store/index.ts';
import { answer, fakeService, refused } from '../../support/fake-service.ts';
import { addPlannedBatch, setChunkState, type TestBatch } from '../../support/planned-batch.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { asActivity } from './as-activity.ts';

export const NOW_MS = Date.UTC(2026, 10, 27, 8);

export type FundsWorld = ReturnType<typeof fundsWorld>;

/** A store, and an account whose balance and fees are what the test says. */
export function fundsWorld(store: Store) {
  const world = {
    nowMs: NOW_MS,
    balances: { TRX: '100' } as Record<string, string>,
    /** Fee of one amount; undefined: the service does not notify. */
    feeOf: (() => undefined) as (amount: string) => string | undefined,
    /** Rests between two looks. */
    pauses: [] as number[],
    /** What happens just before and just after the service looks at its balances. */
    beforeBalance: (): unknown => undefined,
    afterBalance: (): unknown => undefined,
    /** What happens just before the service counts withdrawals. */
    beforeWithdrawals: (): unknown => undefined,
    pause: (delayMs: number): Promise<void> => {
      world.pauses.push(delayMs);
      return Promise.resolve();
    },
    /** Parts of the balances that cannot be read. */
    unreadable: [] as UnreadableParts,
    lacksFees: false,
    /** Why the ends of the batch cannot be read; undefined: they can. */
    unreadableEnds: undefined as Error | undefined,
    /** Withdrawals of mass payouts that the service lists, by currency; null: it has no list. */
    withdrawals: null as Record<string, number> | null,
    /** The key of which the service shows a mass payout; undefined: it has none. */
    shownKey: undefined as string | undefined,
  };
  const calls: Partial<MerchantClient> = {
    readBalance: async () => {
      await world.beforeBalance();
      const balances = Object.entries(world.balances).map(([currency, amount]) => ({
        currency,
        amount,
      }));
      await world.afterBalance();
      return answer({
        account: ACCOUNT,
        name: 'Main',
        balances,
        unreadableParts: world.unreadable,
      });
    },
    calculateFees: ({ items }) => Promise.resolve(answer(items.flatMap(quote))),
    listTransactions: async (filter) => {
      await world.beforeWithdrawals();
      const totalElements = world.withdrawals?.[filter?.currency ?? ''] ?? 0;
      return answer({ result: [], page: 1, size: 1, total: totalElements, totalElements });
    },
    readMassPayout: (asked) => {
      const key = 'idempotencyKey' in asked ? asked.idempotencyKey : undefined;
      return key === undefined || key !== world.shownKey
        ? Promise.reject(refused(404))
        : Promise.resolve(
            answer({
              id: 'mp',
              state: 'COMPLETED',
              idempotencyKey: key,
              withdrawalErrors: [],
              unreadableParts: [],
            }),
          );
    },
    hasOperation: (operation) => {
      if (operation === 'TRANSACTION_LIST') return world.withdrawals !== null;
      return operation !== 'LOOKUP' && !world.lacksFees;
    },
  };
  const quote = ({ baseAmount: amount, currency }: FeeItem) => {
    const fee = world.feeOf(amount);
    if (fee === undefined) return [];
    const sides = { feeSender: { amount, fee }, feeReceiver: { amount, fee: '0' } };
    return [{ amount, currency, opType: 'WITHDRAWAL', ...sides }];
  };
  const service = fakeService(calls);
  const activities = createFundsActivities({
    store,
    service,
    nowMs: () => world.nowMs,
    pause: (delayMs) => world.pause(delayMs),
    requireReadableEnds: () =>
      world.unreadableEnds === undefined ? Promise.resolve() : Promise.reject(world.unreadableEnds),
  });
  const run = <Input, Output>(
    activity: (input: Input) => Promise<Output>,
    input: Input,
  ): Promise<Output> => asActivity().run(activity, input);
  return {
    store,
    world,
    service,
    add: (batch: TestBatch) => addPlannedBatch(store, batch),
    setChunk: (batchId: string, chunk: number, state: string) =>
      setChunkState(store, { batchId, chunk, state }),
    quoteFees: (batchId: string) => run(activities.quoteFees, { batchId }),
    checkFees: (batchId: string) => run(activities.checkFees, { batchId }),
    acceptFees: (input: Parameters<typeof activities.acceptFees>[0]) =>
      run(activities.acceptFees, input),
    claimFunds: (batchId: string) => run(activities.claimFunds, { batchId }),
    checkFunds: (batchId: string) => run(activities.checkFunds, { batchId }),
    checkFundsWith: (input: Readonly<{ batchId: string }>) => run(activities.checkFunds, input),
  };
}
