import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, processDied } from './child.ts';

/** How long a program may take until it is ready, in milliseconds; the first start on a slow machine is slow. */
const READY_TIMEOUT_MS = 60_000;
const PAUSE_MS = 50;

/** Waits until `isReady` returns true. Throws PROCESS_DIED when the program ends before, or takes too long. */
export async function untilReady(child: Child, isReady: () => Promise<boolean>): Promise<void> {
  let end: string | undefined;
  void child.ended.then((how) => {
    end = how;
  });
  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady())) {
    if (end !== undefined) throw processDied(child, end);
    if (performance.now() > deadlineMs) {
      await child.stop();
      throw processDied(child, `stopped, for it was not ready after ${READY_TIMEOUT_MS / 1000} s`);
    }
    await pause(PAUSE_MS);
  }
}

/** Waits until the program has printed a line that begins with `line`. */
export const untilPrinted = (child: Child, line: string): Promise<void> =>
  untilReady(child, async () => {
    const lines = (await readFile(child.log, 'utf8')).split('\n');
    return lines.some((printed) => printed.startsWith(line));
  });
