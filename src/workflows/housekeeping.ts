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
  type WatchReport,
} from '../contract/housekeeping.ts';
import { MEMO_STORE } from '../contract/store.ts';
import { watchRound } from './shared/activities.ts';
import { troubleDetails, watchDetails } from './shared/details.ts';

export const watchNowSignal = defineSignal(SIGNAL_WATCH_NOW);

/** Rounds of one run, unless its input says otherwise: some hours, so that its history stays short. */
const ROUNDS_MAX = 500;
/** The wait after rounds that could not be run, in milliseconds. */
const TROUBLE_DELAY_MS = 60_000;

/**
 * Looks after webhook subscriptions, missed runs of schedules, and notifications that wait. It has no
 * end and decides nothing about money; when it is terminated, the next worker that starts begins it anew.
 */
export async function housekeeping(input: HousekeepingInput = {}): Promise<void> {
  const { roundsMax = ROUNDS_MAX } = input;
  let isCalled = false;
  setHandler(watchNowSignal, () => {
    isCalled = true;
  });
  setCurrentDetails('The first round is under way.');
  for (let rounds = 0; rounds < roundsMax && !workflowInfo().continueAsNewSuggested; rounds += 1) {
    isCalled = false;
    const delayMs = await watchAndShow();
    await condition(() => isCalled, delayMs, { summary: 'next round' });
  }
  await continueAsNew<typeof housekeeping>(input);
}

/** Runs every round once and shows how it went; answers how long to wait for the next time, in milliseconds. */
async function watchAndShow(): Promise<number> {
  const report = await tryToWatch();
  if (typeof report === 'string') {
    setCurrentDetails(troubleDetails(report));
    return TROUBLE_DELAY_MS;
  }
  setCurrentDetails(watchDetails(report));
  // Programs read it before they start anything. Rounds of older workers name no store.
  if (report.store !== undefined) upsertMemo({ [MEMO_STORE]: report.store });
  return report.everyMs;
}

async function tryToWatch(): Promise<WatchReport | string> {
  try {
    return await watchRound();
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const why = error.cause?.message ?? error.message;
    log.warn('the rounds of housekeeping could not be run', { why });
    return why;
  }
}
