import { setTimeout as sleep } from 'node:timers/promises';

/** How often a condition outside this process is looked at, and for how long, in milliseconds. */
const LOOK_EVERY_MS = 50;
const LOOK_MS_MAX = 300_000;

/** Waits until something in another process is so; fails, naming it, when it never is. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined> | Value | undefined,
): Promise<Value> {
  const deadline = Date.now() + LOOK_MS_MAX;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`it never came to this: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}
