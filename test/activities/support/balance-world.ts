import type { BatchRecord } from '../../../src/store/batches/types.ts';
import { expect } from '@jest/globals';
import {
  type BalanceDeps,
  createBalanceActivities,
  createBalanceGuard,
} from '../../../src/activities/funds/balance.ts';
import type { BalanceChecked } from '../../../src/contract/balance-activities.ts';
import type { Store } from '../../../src/store/index.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from './as-activity.ts';
import { type FundsWorld, fundsWorld } from './funds-world.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

type Outcome = 'PAID' | 'FAILED' | 'UNKNOWN' | 'IN_FLIGHT';
type Wish = Partial<BalanceDeps> & Readonly<{ isPatient?: boolean }>;

export type BalanceWorld = Awaited<ReturnType<typeof balanceWorld>>;

/** A store with batches of two chunks, and a service whose balance of 1000 TRX changes as the test says. */
export async function balanceWorld() {
  const store: Store = await openTestStore(temporaryFolder());
  const funds: FundsWorld = fundsWorld(store);
  funds.world.balances = { TRX: '1000' };
  const depsOf = (more: Partial<BalanceDeps> = {}): BalanceDeps => ({
    store,
    service: funds.service,
    isShared: false,
    nowMs: () => funds.world.nowMs,
    ...more,
  });
  const batchOf = async (batchId: string): Promise<BatchRecord> => {
    const batch = await store.batches.find(batchId);
    if (batch === undefined) throw new Error('there is no such batch');
    return batch;
  };
  return {
    store,
    funds,
    depsOf,
    batchOf,
    check: (batchId = 'b', { isPatient = false, ...more }: Wish = {}): Promise<BalanceChecked> =>
      asActivity().run(createBalanceActivities(depsOf(more)).checkBalance, { batchId, isPatient }),
    proven: async (batchId = 'b') => (await store.balances.find(batchId))?.check,
    holds: async (batchId = 'b') => (await store.holds.open(batchId)).map(({ kind }) => kind),
    /** mira accepts what a hold says. */
    accept: (n: number) =>
      store.holds.lift({ batchId: 'b', n, by: 'mira', reason: 'a wallet was opened', atMs: 5 }),
    /** A batch of two chunks of 100 with a fee of 1 each, which was let go at a balance of 1000. */
    async begin(batchId = 'b'): Promise<void> {
      await funds.add({ batchId, chunks: ['100', '100'], fees: { TRX: '2' } });
      expect(await funds.checkFunds(batchId)).toEqual({ kind: 'enough' });
      await store.batches.release(batchId, 1);
    },
    /** The service accepted chunks, and says what became of them. */
    async end(outcomes: readonly Outcome[], batchId = 'b'): Promise<void> {
      for (const [chunk, outcome] of outcomes.entries()) {
        await writableDb(store)
          .updateTable('chunk')
          .set({
            state: 'CREATED',
            mass_payout_id: `${batchId}-${chunk}`,
            fee: '1',
            default_outcome: outcome,
            final: outcome === 'IN_FLIGHT' ? 0 : 1,
          })
          .where('batch_id', '=', batchId)
          .where('chunk', '=', chunk)
          .execute();
      }
    },
    /** Looks at the balance while the batch pays, as often as the guard may. */
    guarded: () => {
      const guard = createBalanceGuard(depsOf());
      return async () => {
        funds.world.nowMs += 6_000;
        return guard(await batchOf('b'), 1_000);
      };
    },
  };
}
