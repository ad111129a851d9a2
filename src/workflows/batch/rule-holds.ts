import { condition } from '@temporalio/workflow';
import type { FeesStopped, OverDayLimit, PutHoldInput } from '../../contract/activities.ts';
import type { Hold, HoldKind } from '../../domain/holds/hold.ts';
import { isHoldOpen } from '../../domain/holds/open-holds.ts';
import { acceptFees, putHold, releaseHold } from '../shared/activities.ts';
import { holdsOfKinds } from '../state/batch-state.ts';
import { type BatchRun, dropHold, enter, stopReason, takeHold } from './batch-run.ts';

const DAY_MS = 86_400_000;
/** The time by which the clock of the next worker may be late, in milliseconds: its new day begins later. */
const CLOCKS_APART_MS = 60_000;
const RULES = 'Bursar';

/** Waits until a person accepts the fees, or the batch is stopped. */
export async function waitForFees(
  run: BatchRun,
  { kind, reason, facts, quotes }: FeesStopped,
): Promise<void> {
  const { batchId } = run.input;
  const holdKind = kind === 'drift' ? 'FEE_DRIFT' : 'FEE_CAP';
  const hold = await putOn(run, { batchId, kind: holdKind, reason, by: RULES, facts });
  await condition(() => !isHoldOpen(run.state.holds, hold) || stopReason(run) !== null);
  if (stopReason(run) === null) await acceptFees({ batchId, quotes });
}

/** Waits until a person accepts the total of the day, or the next day begins. */
export async function waitForNextDay(
  run: BatchRun,
  { error, excesses, hold: found }: OverDayLimit,
): Promise<void> {
  const { batchId } = run.input;
  const reason = error.what;
  // In histories of older workers the workflow puts it on.
  const hold =
    found === undefined
      ? await putOn(run, { batchId, kind: 'DAY_LIMIT', reason, by: RULES, facts: {} })
      : showHold(run, found);
  const isOver = (): boolean => !isHoldOpen(run.state.holds, hold) || stopReason(run) !== null;
  // Counted from the day that the worker spoke of: by another clock that day may be over, or not have begun.
  const endMs = Math.max(...excesses.map(({ day }) => Date.parse(day))) + DAY_MS;
  const delayMs = Math.max(1, endMs + CLOCKS_APART_MS - Date.now());
  const letPass = await condition(isOver, delayMs, { summary: 'the next day' });
  if (letPass) return;
  await releaseHold({ batchId, n: hold.n, by: RULES, reason: 'a new day has begun' });
  dropHold(run, hold);
}

/** The kinds of holds of the fee rules. */
export const FEE_HOLDS: readonly HoldKind[] = ['FEE_DRIFT', 'FEE_CAP'];
export const DAY_HOLDS: readonly HoldKind[] = ['DAY_LIMIT'];

/**
 * Lifts the holds of these kinds that an earlier run of the batch left behind. Call it when the same rules have just let the batch
 * pass: the reason of the hold no longer exists, so no person must answer for it.
 */
export async function dropOutdated(run: BatchRun, kinds: readonly HoldKind[]): Promise<void> {
  const { batchId } = run.input;
  for (const hold of holdsOfKinds(run.state, kinds)) {
    await releaseHold({ batchId, n: hold.n, by: RULES, reason: 'the rule lets it pass now' });
    dropHold(run, hold);
  }
}

/** Puts a hold on. An open one with another reason, from an earlier run, is lifted first. */
async function putOn(run: BatchRun, input: PutHoldInput): Promise<Hold> {
  const { batchId, reason } = input;
  let hold = await putHold(input);
  if (hold.reason !== reason) {
    await releaseHold({ batchId, n: hold.n, by: RULES, reason: `now: ${reason}` });
    dropHold(run, hold);
    hold = await putHold(input);
  }
  return showHold(run, hold);
}

function showHold(run: BatchRun, hold: Hold): Hold {
  enter(run, 'AWAITING_APPROVAL', hold.reason);
  takeHold(run, hold);
  return hold;
}
