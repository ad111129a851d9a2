import { setTimeout as pause } from 'node:timers/promises';

/** Loses something every so often until the signal aborts. `lose` gets the number of losses before. Returns how many there were. */
export async function loseOnAndOn(
  everyMs: number,
  signal: AbortSignal,
  lose: (before: number) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  while (await pause(everyMs, true, { signal }).catch(() => false)) {
    await lose(count);
    count += 1;
  }
  return count;
}
