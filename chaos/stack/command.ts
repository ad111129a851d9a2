import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from '../../bench/support/run-module.ts';
import type { Env } from '../../src/config.ts';

const BURSAR = compiled('../../cli/starter.js');

/** A command waits for whatever is down at the moment, but not for ever; milliseconds. */
const COMMAND_MS_MAX = 90_000;

/** How a command ended; the code is null for one that was killed. */
export type Ran = Readonly<{ code: number | null; value: Readonly<Record<string, unknown>> }>;

export type Commands = ReturnType<typeof createCommands>;

/** Runs commands of `bursar` as people type them, and lets them be killed. */
export function createCommands(env: Env, cwd: string) {
  const running = new Set<{ kill(): void }>();
  return {
    async run(...args: readonly string[]): Promise<Ran> {
      const child = spawn(process.execPath, [BURSAR, ...args, '-o', 'json'], {
        ...{ env, cwd },
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: COMMAND_MS_MAX,
        killSignal: 'SIGKILL',
      });
      let out = '';
      child.stdout.on('data', (text) => {
        out += String(text);
      });
      const killable = { kill: () => void child.kill('SIGKILL') };
      running.add(killable);
      const [code] = (await once(child, 'close')) as [number | null];
      running.delete(killable);
      return { code, value: code === null ? {} : parse(out) };
    },
    killAll(): void {
      for (const { kill } of running) kill();
    },
    /** Kills one that runs; false: none does. */
    killOne(): boolean {
      const [first] = running;
      first?.kill();
      return first !== undefined;
    },
  };
}

function parse(out: string): Ran['value'] {
  try {
    return JSON.parse(out) as Ran['value'];
  } catch {
    return {};
  }
}
