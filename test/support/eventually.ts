import { setTimeout as sleep } from 'node:timers/promises';

/** How often a condition outside this process is looked at, and for how long, in milliseconds. */
const LOOK_EVERY_MS = 50;
const LOOK_MS_MAX = 300_000;

/** A look that takes long, as one by a command does, is not repeated at once: what is waited for needs the machine too. */
const PAUSES_OF_A_LOOK = 2;

/** Waits until something in another process is so; fails, naming it, when it never is. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined> | Value | undefined,
): Promise<Value> {
  const deadline = Date.now() + LOOK_MS_MAX;
  for (;;) {
    const startedMs = performance.now();
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`it never came to this: ${what}`);
    await pauseAfterLook(performance.now() - startedMs);
  }
}

/** Waits as long as befits a look that took `lookMs`. */
export const pauseAfterLook = (lookMs: number): Promise<void> =>
  sleep(Math.max(LOOK_EVERY_MS, PAUSES_OF_A_LOOK * lookMs));
