import { join } from 'node:path';
import type { Env, Settings } from '../../config.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import type { ServiceEnvironment } from '../../domain/service/place.ts';
import type { SeenPlan } from '../../domain/plan/expected-plan.ts';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Store } from '../../store/index.ts';
import { readClaimsFirst } from '../batch/claims-first.ts';
import { loadSettings, withStoreIfAny } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import { freshOwnWallets, knownOwnWallets } from '../service/own-wallets.ts';
import { placeOf } from '../service/place.ts';
import {
  canCallService,
  listedCurrencies,
  quoteFees,
  readBalances,
  withService,
} from '../service/preflight.ts';
import { type AccountNow, type FundsLine, fundsLines } from './funds.ts';
import { asSeen, type LocalPlan, planOf, problemsOfPlan } from './plan-of.ts';
import { type PlanView, planView } from './plan-view.ts';
import type { Source } from './source.ts';
import { type RefusalFiles, writeRefusals } from './write-plan.ts';

/**
 * `online`: whether balance and own wallets are read from the service. `fees`: whether fees are, too; without them a missing key is no
 * error. `refusals`: where the caller keeps the files about refused rows; missing: they are written into the folder of the batch.
 */
export type PlanWish = Readonly<{
  source: Source;
  batchId: string | null;
  optionsWith(settings: Settings): BatchOptions;
  online: boolean;
  fees: boolean;
  /** A plan that a person saw; null or missing: none. */
  seen?: SeenPlan | null;
  refusals?: RefusalFiles;
}>;

/** A plan that was made now. `known`: the batch that has its id already. `dir`: where its files are written. */
export type MadePlan = Readonly<{
  view: PlanView;
  refused: readonly RefusedRow[];
  known: BatchRecord | undefined;
  dir: string;
  service: PlannedService;
}>;

/** The service that would pay a plan. Null: not set. */
export type PlannedService = Readonly<{
  url: string | null;
  account: string | null;
  environment: ServiceEnvironment;
}>;

/**
 * Makes the plan that a submit of the same file and choices would start, and starts nothing. Needs no Temporal, and reads the store
 * if there is one. @throws the errors of a file that is refused whole
 */
export async function makePlan(
  { source, batchId, optionsWith, online: isWanted, fees, seen = null, refusals: kept }: PlanWish,
  context: OperationContext,
): Promise<MadePlan> {
  const settings = await loadSettings(context);
  const options = optionsWith(settings);
  const online = isWanted && (fees || canCallService(settings));
  const { planned, known, first } = await withStoreIfAny(settings, context, async (store) => {
    const ownWallets = () =>
      online
        ? freshOwnWallets({ settings, store }, context)
        : knownOwnWallets(store, settings.api.account);
    const listed = async () => (online ? withService(settings, context, listedCurrencies) : null);
    const planning = { source, batchId, options, settings, store, ownWallets, listed };
    const made = asSeen(await planOf(planning, context), seen);
    return { planned: made, ...(await lookUp(store, made, context)) };
  });
  const dir = join(settings.report.dir, planned.batchId);
  const { refused } = planned.reading;
  const refusals =
    kept === undefined
      ? await writeRefusals(planned, dir, context)
      : refused.length > 0
        ? kept
        : null;
  const problems = problemsOfPlan(planned, refusals);
  const funds = online ? await readFunds({ planned, first, fees }, settings, context) : null;
  const view = planView(planned, { refusals, problems, funds });
  return { view, refused, known, dir, service: serviceOf(settings, context.env) };
}

function serviceOf(settings: Settings, env: Env): PlannedService {
  const { service: url, account, environment } = placeOf(settings, env);
  return { url, account, environment };
}

/** The batch of the same id in the store, and the batches that come before it. */
async function lookUp(store: Store | null, planned: LocalPlan, { clock }: OperationContext) {
  if (store === null) return { known: undefined, first: null };
  const first = await readClaimsFirst(store, planned, clock.nowMs());
  return { known: await store.batches.find(planned.batchId), first };
}

const readFunds = (
  {
    planned: { reading, rules },
    first,
    fees: isQuoted,
  }: Readonly<{ planned: LocalPlan; first: AccountNow['first']; fees: boolean }>,
  settings: Settings,
  context: OperationContext,
): Promise<FundsLine[]> =>
  withService(settings, context, async (service) => {
    const { currencies } = reading.summary;
    const read = await readBalances(service);
    if (!isQuoted) return fundsLines(currencies, { read, first });
    const fees = await quoteFees(service, currencies);
    return fundsLines(currencies, { read, first }, { fees, rules: rules.fees });
  });
