import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BenchContext } from '../support/context.ts';
import { compiled } from '../support/run-module.ts';
import type { BenchStack } from '../support/stack.ts';

const BURSAR = compiled('../../programs/starter.js');

/** What a command said, and how long it took from its start to its end. */
export type Ran = Readonly<{ ms: number; value: Readonly<Record<string, unknown>> }>;

export type Run = (args: readonly string[], codes?: readonly number[]) => Promise<Ran>;

/** Runs commands of `bursar` as a person types them. Throws for any exit code that is not expected. */
export const createRun =
  ({ signal }: BenchContext, { env, folder: cwd }: BenchStack): Run =>
  async (args, codes = [0]) => {
    const startMs = performance.now();
    const child = spawn(process.execPath, [BURSAR, ...args, '-o', 'json'], {
      env,
      cwd,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, talk] = ['', ''];
    child.stdout.on('data', (text) => {
      out += String(text);
    });
    child.stderr.on('data', (text) => {
      talk += String(text);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    const ms = performance.now() - startMs;
    signal.throwIfAborted();
    if (code === null || !codes.includes(code)) {
      throw new Error(`bursar ${args.join(' ')} ended with ${code}:\n${talk}${out}`);
    }
    return { ms, value: JSON.parse(out) as Ran['value'] };
  };
