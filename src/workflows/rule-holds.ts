import { condition } from '@temporalio/workflow';
import type { FeesStopped, OverDayLimit, PutHoldInput } from '../contract/activities.ts';
import type { Hold } from '../domain/holds/hold.ts';
import { acceptFees, putHold, releaseHold } from './activities.ts';
import type { BatchDesk } from './batch-desk.ts';

const DAY_MS = 86_400_000;
const RULES = 'Bursar';

/** Waits until somebody has let the fees pass, or the batch is stopped. */
export async function waitForFees(
  desk: BatchDesk,
  batchId: string,
  { kind, reason, facts, quotes }: FeesStopped,
): Promise<void> {
  const holdKind = kind === 'drift' ? 'FEE_DRIFT' : 'FEE_CAP';
  const hold = await putOn(desk, { batchId, kind: holdKind, reason, by: RULES, facts });
  await condition(() => !desk.isHeldBy(hold) || desk.stopReason() !== null);
  if (desk.stopReason() === null) await acceptFees({ batchId, quotes });
}

/** Waits until somebody has let the total of the day pass, or the next day begins; answers with what was let pass. */
export async function waitForNextDay(
  desk: BatchDesk,
  batchId: string,
  { error, excesses }: OverDayLimit,
): Promise<OverDayLimit['excesses']> {
  const facts = Object.fromEntries(excesses.map((one, i) => [String(i), JSON.stringify(one)]));
  const reason = error.what;
  const hold = await putOn(desk, { batchId, kind: 'DAY_LIMIT', reason, by: RULES, facts });
  const isOver = (): boolean => !desk.isHeldBy(hold) || desk.stopReason() !== null;
  const untilMidnightMs = DAY_MS - (Date.now() % DAY_MS);
  const letPass = await condition(isOver, untilMidnightMs, { summary: 'the next day' });
  if (letPass) return excesses;
  await releaseHold({ batchId, n: hold.n, by: RULES, reason: 'a new day has begun' });
  desk.dropHold(hold);
  return [];
}

/** Puts a hold on. One that is on for something else than it says now, from an earlier run, is taken off first. */
async function putOn(desk: BatchDesk, input: PutHoldInput): Promise<Hold> {
  const { batchId, reason } = input;
  let hold = await putHold(input);
  if (hold.reason !== reason) {
    await releaseHold({ batchId, n: hold.n, by: RULES, reason: `now: ${reason}` });
    desk.dropHold(hold);
    hold = await putHold(input);
  }
  desk.enter('AWAITING_APPROVAL', reason);
  desk.takeHold(hold);
  return hold;
}
