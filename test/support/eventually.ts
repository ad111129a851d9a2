import { setTimeout as sleep } from 'node:timers/promises';

/** How often a condition outside this process is looked at, and for how long, in milliseconds. */
const LOOK_EVERY_MS = 50;
const LOOK_MS_MAX = 300_000;

/** A look that takes long, as one by a command does, is not repeated at once: what is waited for needs the machine too. */
const PAUSES_OF_A_LOOK = 2;

/** Once a wait has lasted this long, dear looks become rare: most of what is waited for then is a due time. */
const LONG_WAIT_MS = 4_000;
const RARE_PAUSES_OF_A_LOOK = 8;
const RARE_PAUSE_MS_MAX = 1_500;

/** Waits until something in another process is so; fails, naming it, when it never is. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined> | Value | undefined,
): Promise<Value> {
  const beganMs = performance.now();
  for (;;) {
    const startedMs = performance.now();
    const value = await look();
    if (value !== undefined) return value;
    const nowMs = performance.now();
    const waitedMs = nowMs - beganMs;
    if (waitedMs > LOOK_MS_MAX) throw new Error(`it never came to this: ${what}`);
    await pauseAfterLook(nowMs - startedMs, waitedMs > LONG_WAIT_MS);
  }
}

/** Waits as long as befits a look that took `lookMs`. */
export function pauseAfterLook(lookMs: number, isLongWait = false): Promise<void> {
  const usualMs = Math.max(LOOK_EVERY_MS, PAUSES_OF_A_LOOK * lookMs);
  const rareMs = Math.min(RARE_PAUSES_OF_A_LOOK * lookMs, RARE_PAUSE_MS_MAX);
  return sleep(isLongWait ? Math.max(usualMs, rareMs) : usualMs);
}
