import { condition } from '@temporalio/workflow';
import type { BatchInput } from '../../contract/batch.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import { fundsTooLate } from '../../domain/funds/too-low.ts';
import { checkFunds } from '../shared/activities.ts';
import type { BatchDesk } from './batch-desk.ts';
import { waitForNextDay } from './rule-holds.ts';
import { unlessStopped } from './unless-stopped.ts';

/** How often the balance is read while a batch waits for a top-up: often at first, and never more often than this many times. */
const FUNDS_POLLS_MAX = 500;

/** Waits until the account can carry the batch; answers why it cannot, when the submitter's patience is over. */
export async function waitForFunds(
  desk: BatchDesk,
  { batchId, options }: BatchInput,
): Promise<ErrorNote | null> {
  const { fundsWaitMs, pollMinMs } = options;
  const deadlineMs = Date.now() + (fundsWaitMs ?? 0);
  const delayMs = Math.max(pollMinMs, (fundsWaitMs ?? 0) / FUNDS_POLLS_MAX);
  desk.showFigures({ fundsUntil: new Date(deadlineMs).toISOString() });
  desk.enter('CHECKING_FUNDS', 'reads the balance of the account');
  for (;;) {
    desk.clearFundsNews();
    const funds = await unlessStopped(desk, () => checkFunds({ batchId }));
    if (funds === undefined) return null;
    if (funds.kind === 'refused') return funds.error;
    if (funds.kind === 'over-day-limit') {
      await waitForNextDay(desk, batchId, funds);
      if (desk.stopReason() !== null) return null;
      continue;
    }
    if (funds.kind === 'enough') {
      desk.enter('CHECKING_FUNDS', 'the account can carry it');
      return null;
    }
    if (Date.now() >= deadlineMs) {
      return fundsWaitMs === null ? funds.error : fundsTooLate(funds.error, deadlineMs);
    }
    desk.showFigures({ short: funds.short ?? [] });
    desk.enter('AWAITING_FUNDS', funds.error.what);
    const waitMs = Math.max(1, Math.min(delayMs, deadlineMs - Date.now()));
    const woken = (): boolean => desk.stopReason() !== null || desk.hasFundsNews();
    await condition(woken, waitMs, { summary: 'the next look at the balance' });
    if (desk.stopReason() !== null) return null;
  }
}
