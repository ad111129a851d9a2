import {
  ActivityFailure,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type HousekeepingInput,
  SIGNAL_WATCH_NOW,
  type HousekeepingReport,
} from '../contract/housekeeping.ts';
import { MEMO_STORE } from '../contract/store.ts';
import { referenceToKeep } from '../domain/restore/undeclared-copy.ts';
import type { StoreRef } from '../domain/store/identity.ts';
import { watchRound } from './shared/activities.ts';
import { troubleDetails, watchDetails } from './shared/details.ts';

export const watchNowSignal = defineSignal(SIGNAL_WATCH_NOW);

/** How often one run of the workflow runs the tasks by default: some hours, so that its history stays short. */
const ROUNDS_MAX = 500;
/** The wait after tasks that could not be run, in milliseconds. */
const TROUBLE_DELAY_MS = 60_000;

/**
 * Runs the health checks of webhook subscriptions, missed runs of schedules, and notifications that wait. It has no end and
 * decides nothing about money. After a termination the next worker that starts begins it again.
 */
export async function housekeeping(input: HousekeepingInput = {}): Promise<void> {
  const { roundsMax = ROUNDS_MAX } = input;
  let { store } = input;
  let isCalled = false;
  setHandler(watchNowSignal, () => {
    isCalled = true;
  });
  setCurrentDetails('The first round is under way.');
  for (let rounds = 0; rounds < roundsMax && !workflowInfo().continueAsNewSuggested; rounds += 1) {
    isCalled = false;
    const { delayMs, store: seen } = await runAndShow();
    store = keepReference(store, seen);
    await condition(() => isCalled, delayMs, { summary: 'next round' });
  }
  await continueAsNew<typeof housekeeping>(store === undefined ? input : { ...input, store });
}

/** Shows programs the store that they must have before they start anything. Rounds of older workers name no store. */
function keepReference(
  before: StoreRef | undefined,
  seen: StoreRef | undefined,
): StoreRef | undefined {
  if (seen === undefined) return before;
  const store = referenceToKeep(before, seen);
  upsertMemo({ [MEMO_STORE]: store });
  return store;
}

/** `delayMs`: the wait before the tasks run again. `store`: the store of the worker that ran this one. */
type Watched = Readonly<{ delayMs: number; store?: StoreRef }>;

/** Runs every task once, and shows the results. */
async function runAndShow(): Promise<Watched> {
  const report = await tryToWatch();
  if (typeof report === 'string') {
    setCurrentDetails(troubleDetails(report));
    return { delayMs: TROUBLE_DELAY_MS };
  }
  setCurrentDetails(watchDetails(report));
  const { everyMs: delayMs, store } = report;
  return store === undefined ? { delayMs } : { delayMs, store };
}

async function tryToWatch(): Promise<HousekeepingReport | string> {
  try {
    return await watchRound();
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const why = error.cause?.message ?? error.message;
    log.warn('the rounds of housekeeping could not be run', { why });
    return why;
  }
}
