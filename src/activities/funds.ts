import type { Funded, FundsActivities, Quoted, Short } from '../contract/activities.ts';
import { BursarError, noteOf } from '../domain/errors/bursar-error.ts';
import { refuseClockSkew } from '../domain/errors/from-service.ts';
import { type Need, shortfallsOf } from '../domain/funds/decide.ts';
import type { BatchRecord } from '../store/batches.ts';
import type { Store } from '../store/store.ts';
import { orRefused } from './boundary.ts';
import { quoteFees } from './quote-fees.ts';
import { callService, type Service } from './service.ts';

export type FundsDeps = Readonly<{
  store: Pick<Store, 'batches' | 'funds'>;
  service: Service;
}>;

/** Prices a batch and holds it against the account's balance. */
export const createFundsActivities = (deps: FundsDeps): FundsActivities => ({
  quoteFees: ({ batchId }) =>
    orRefused(async (): Promise<Quoted> => {
      const batch = await planned(deps, batchId);
      const fees = batch.fees ?? (await quoteFees(deps.service, batch.summary));
      await deps.store.batches.setFees(batchId, fees);
      return { kind: 'quoted', fees: fees.quotes };
    }),

  checkFunds: ({ batchId }) =>
    orRefused(async () => checkFunds(deps, await planned(deps, batchId))),
});

type PlannedBatch = BatchRecord & Readonly<{ summary: NonNullable<BatchRecord['summary']> }>;

async function planned({ store }: FundsDeps, batchId: string): Promise<PlannedBatch> {
  const batch = await store.batches.find(batchId);
  if (batch === undefined || batch.summary === null) {
    throw new BursarError('BATCH_NOT_FOUND', { batchId });
  }
  return { ...batch, summary: batch.summary };
}

/** The look at the balance and the reservation are one step for all batches of this store. */
async function checkFunds(deps: FundsDeps, batch: PlannedBatch): Promise<Funded | Short> {
  const { value } = await callService(deps.service, (api) =>
    api.readBalance({ account: batch.account }),
  );
  refuseClockSkew(deps.service.api.clockSkewMs());
  const balances = new Map(value.balances.map(({ currency, amount }) => [currency, amount]));
  const needs = needsOf(batch);
  let short: ReturnType<typeof shortfallsOf> = [];
  const fees = needs.map(({ currency, fee }) => ({ currency, amount: fee }));
  await deps.store.funds.reserveIf({ ...batch, fees }, (held) => {
    short = shortfallsOf(needs, balances, held);
    return short.length === 0;
  });
  const [first] = short;
  return first === undefined
    ? { kind: 'enough' }
    : { kind: 'short', error: noteOf('FUNDS_TOO_LOW', first) };
}

const needsOf = ({ summary, fees }: PlannedBatch): Need[] =>
  summary.currencies.map(({ currency, total }) => ({
    currency,
    amount: total,
    fee: fees?.quotes?.find((quote) => quote.currency === currency)?.fee ?? '0',
  }));
