import { setTimeout as pause } from 'node:timers/promises';
import { TooSlow } from './expect.ts';
import { realMs, type CheckRun } from './run.ts';

/** The time between two looks, in milliseconds. */
const LOOK_MS = 20;

/** How long a webhook or a state may take before its absence is a breach, in seconds. */
const ABSENT_AFTER_S = 60;

/** A lateness with which a wait is still a wait, as a part of it. */
const LATE_PART = 0.25;

type Question = () => Promise<boolean> | boolean;

/**
 * Waits until something is there, or patience ends. Returns whether it is there. `lookMs` is the
 * time between two looks, `forMs` another patience.
 */
export async function waitFor(
  { patienceMs }: CheckRun,
  isThere: Question,
  { lookMs = LOOK_MS, forMs = patienceMs }: Readonly<{ lookMs?: number; forMs?: number }> = {},
): Promise<boolean> {
  for (const untilMs = Date.now() + forMs; Date.now() < untilMs; await pause(lookMs)) {
    if (await isThere()) return true;
  }
  // Webhooks that arrived while this program was late are read before the last look.
  await pause(lookMs);
  return isThere();
}

/**
 * Waits for something whose absence is a breach. Throws TooSlow when it is absent and the run cannot
 * tell why. `words` name it.
 */
export async function comes(run: CheckRun, words: string, isThere: Question): Promise<boolean> {
  const isHere = await waitFor(run, isThere);
  if (!isHere) demandWait(run, words);
  return isHere;
}

/**
 * Throws TooSlow unless the run waited so long for something that its absence is a breach: a minute
 * of the service's time, on a machine that kept pace.
 */
export function demandWait(run: CheckRun, words: string): void {
  const waitMs = realMs(run, ABSENT_AFTER_S);
  if (run.patienceMs < waitMs) {
    throw new TooSlow(
      `${words} within ${run.patienceMs} ms, and it may take ${waitMs} ms (see --patience)`,
    );
  }
  demandPace(run, Date.now() - run.patienceMs, run.patienceMs * LATE_PART);
}

/** Throws TooSlow when this program was later than that since a time. */
export function demandPace({ pace }: CheckRun, sinceMs: number, allowedMs: number): void {
  const lateMs = pace?.latenessSince(sinceMs) ?? 0;
  if (lateMs > allowedMs) {
    throw new TooSlow(`this machine was too slow: ${Math.round(lateMs)} ms late`);
  }
}
