import { condition } from '@temporalio/workflow';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import { fundsTooLate } from '../../domain/funds/too-low.ts';
import { checkFunds } from '../shared/activities.ts';
import { type BatchRun, change, enter, showFigures, stopReason } from './batch-run.ts';
import { waitForNextDay } from './rule-holds.ts';
import { unlessStopped } from './unless-stopped.ts';

/** How often the balance is read while a batch waits for a top-up: often at first, and never more often than this many times. */
const FUNDS_POLLS_MAX = 500;

/** Waits until the account holds enough for the batch. Returns why it does not when the time for a top-up is over, or null. */
export async function waitForFunds(run: BatchRun): Promise<ErrorNote | null> {
  const { batchId, options } = run.input;
  const { fundsWaitMs, pollMinMs } = options;
  const deadlineMs = Date.now() + (fundsWaitMs ?? 0);
  const delayMs = Math.max(pollMinMs, (fundsWaitMs ?? 0) / FUNDS_POLLS_MAX);
  showFigures(run, { fundsUntil: new Date(deadlineMs).toISOString() });
  enter(run, 'CHECKING_FUNDS', 'the account must hold enough');
  for (;;) {
    change(run, { kind: 'funds-asked' });
    const funds = await unlessStopped(run, () => checkFunds({ batchId }));
    if (funds === undefined) return null;
    if (funds.kind === 'refused') return funds.error;
    if (funds.kind === 'over-day-limit') {
      await waitForNextDay(run, funds);
      if (stopReason(run) !== null) return null;
      continue;
    }
    if (funds.kind === 'enough') {
      enter(run, 'CHECKING_FUNDS', 'the account holds enough');
      return null;
    }
    if (Date.now() >= deadlineMs) {
      return fundsWaitMs === null ? funds.error : fundsTooLate(funds.error, deadlineMs);
    }
    showFigures(run, { short: funds.short ?? [] });
    enter(run, 'AWAITING_FUNDS', funds.error.what);
    const waitMs = Math.max(1, Math.min(delayMs, deadlineMs - Date.now()));
    const woken = (): boolean => stopReason(run) !== null || run.state.hasFundsSignal;
    await condition(woken, waitMs, { summary: 'the next read of the balance' });
    if (stopReason(run) !== null) return null;
  }
}
