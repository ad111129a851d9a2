import type { Started } from './start.ts';

const TRIES_MAX = 2_000;

/**
 * Repeats a check until it holds. The other end of a connection takes real time, while the
 * sandbox's clock stands still. Due timers run.
 */
export async function until({ clock, client }: Started, check: () => Promise<boolean>) {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    clock.advance(0);
    if (await check()) return;
    await client.get('/sandbox/health');
  }
  throw new Error('What was waited for did not come.');
}
