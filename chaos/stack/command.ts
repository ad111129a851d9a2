import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compiled } from '../../bench/support/run-module.ts';
import type { Env } from '../../src/config.ts';

const BURSAR = compiled('../../programs/starter.js');

/** A command waits for whatever is down at the moment, but not for ever; milliseconds. */
const COMMAND_MS_MAX = 90_000;
const LOOK_MS = 50;

/** How a command ended; the code is null for one that was killed. */
export type Ran = Readonly<{ code: number | null; value: Readonly<Record<string, unknown>> }>;

/** What a command does to the batches. */
export const COMMAND_KINDS = ['looks', 'changes something'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

const LOOKS: readonly string[] = ['inbox', 'list', 'status'];

const kindOf = (name: string): CommandKind =>
  LOOKS.includes(name) ? 'looks' : 'changes something';

type Running = Readonly<{ name: string; kill(): void }>;

export type Commands = ReturnType<typeof createCommands>;

/** Where commands are run, and the folder that keeps all that they print, by their names. */
export type CommandPlace = Readonly<{ env: Env; cwd: string; printed: string }>;

/** Runs commands of `bursar` as people type them, and lets them be killed. */
export function createCommands({ env, cwd, printed }: CommandPlace) {
  const running = new Set<Running>();
  const killed: Record<string, number> = {};
  const runningOf = (kind: CommandKind): Running | undefined =>
    [...running].find(({ name }) => kindOf(name) === kind);

  return {
    /** How often each command was killed. */
    killed,
    async run(name: string, ...args: readonly string[]): Promise<Ran> {
      const child = spawn(process.execPath, [BURSAR, name, ...args, '-o', 'json'], {
        env,
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: COMMAND_MS_MAX,
        killSignal: 'SIGKILL',
      });
      let [out, talk] = ['', ''];
      child.stdout.on('data', (text) => {
        out += String(text);
      });
      child.stderr.on('data', (text) => {
        talk += String(text);
      });
      const one: Running = { name, kill: () => void child.kill('SIGKILL') };
      running.add(one);
      const [code] = (await once(child, 'close')) as [number | null];
      running.delete(one);
      appendFileSync(join(printed, `${name}.out`), out);
      appendFileSync(join(printed, `${name}.err`), talk);
      return { code, value: code === null ? {} : parse(out) };
    },
    killAll(): void {
      for (const { kill } of running) kill();
    },
    /** Waits until a command of a kind runs; false: none did within so many milliseconds. */
    async hasBegun(kind: CommandKind, withinMs: number): Promise<boolean> {
      for (let waitedMs = 0; waitedMs < withinMs; waitedMs += LOOK_MS) {
        if (runningOf(kind) !== undefined) return true;
        await pause(LOOK_MS);
      }
      return false;
    },
    /** Kills one of a kind that runs; false: none does. */
    killOne(kind: CommandKind): boolean {
      const one = runningOf(kind);
      if (one === undefined) return false;
      one.kill();
      killed[one.name] = (killed[one.name] ?? 0) + 1;
      return true;
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
