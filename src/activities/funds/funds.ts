import type { FundsDeps, PlannedBatch } from './types.ts';
import { sleep } from '@temporalio/activity';
import type { FundsActivities } from '../../contract/activities.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { atBoundary, orRefused } from '../shared/boundary.ts';
import { acceptFees, checkFees, quotePlan } from '../fees/check-fees.ts';
import { checkFunds, claimFunds } from './check-funds.ts';

/** Prices a batch, and holds it against the fee rules, the account's balance and the limit of the day. */
export const createFundsActivities = (
  given: Omit<FundsDeps, 'pause'> & Partial<Pick<FundsDeps, 'pause'>>,
): FundsActivities => {
  const deps: FundsDeps = { pause: (delayMs) => sleep(delayMs), ...given };
  const batchOf = (batchId: string): Promise<PlannedBatch> => planned(deps, batchId);
  return {
    quoteFees: ({ batchId }) => orRefused(async () => quotePlan(deps, await batchOf(batchId))),
    checkFees: ({ batchId }) => orRefused(async () => checkFees(deps, await batchOf(batchId))),
    acceptFees: ({ batchId, quotes }) =>
      atBoundary(async () => acceptFees(deps, await batchOf(batchId), quotes)),
    claimFunds: ({ batchId }) => orRefused(async () => claimFunds(deps, await batchOf(batchId))),
    checkFunds: ({ batchId }) => orRefused(async () => checkFunds(deps, await batchOf(batchId))),
  };
};

async function planned({ store }: FundsDeps, batchId: string): Promise<PlannedBatch> {
  const batch = await store.batches.find(batchId);
  if (batch === undefined || batch.summary === null) {
    throw new BursarError('BATCH_NOT_FOUND', { batchId });
  }
  // Without a plan there are no rules yet, so that every limit would be passed.
  if (batch.digest === null) {
    throw new BursarError('INTERNAL', { message: `batch ${batchId} has no plan` });
  }
  return { ...batch, summary: batch.summary };
}
