import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { killGroup } from '../src/activities/notifications/kill-group.ts';
import type { Ending } from './witness.ts';

/** Enough for the name of the first test that failed, however much it shows of what it expected. Characters. */
const TALK_LENGTH_MAX = 1_000_000;

export type RunOptions = Readonly<{
  cwd: string;
  /** How long it may take, in milliseconds; whoever takes longer is killed. */
  msMax: number;
}>;

/**
 * Runs a command to its end; answers with the last of what it said. A layer that stops at the first test that failed leaves
 * servers of other tests behind: whatever the command has started ends with it, and with this process.
 */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  { cwd, msMax }: RunOptions,
): Promise<Ending> {
  const startedMs = performance.now();
  const child = spawn(program, args, {
    cwd,
    timeout: msMax,
    killSignal: 'SIGKILL',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endAll = (): void => killGroup(child);
  process.prependListener('exit', endAll);
  let talk = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      talk = (talk + String(text)).slice(-TALK_LENGTH_MAX);
    });
  }
  const closed = once(child, 'close');
  await once(child, 'exit');
  endAll();
  const [code] = (await closed) as [number | null];
  process.off('exit', endAll);
  return { isGood: code === 0, isTimeOut: performance.now() - startedMs >= msMax, talk };
}
