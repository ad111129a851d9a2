import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Env } from '../../src/config.ts';

export type ModuleRun = Readonly<{
  /** Path of the compiled module. */
  module: string;
  args: readonly string[];
  /** Options of Node.js itself. */
  nodeArgs?: readonly string[];
  env: Env;
  cwd: string;
  /** Ends the program. */
  signal: AbortSignal;
}>;

/** Path of a compiled module by its place beside this one, for example `../ingest/measure-parser.js`. */
export const compiled = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Runs one of our programs to its end and reads the JSON that it prints. Throws with what it said on standard error
 * when it fails.
 */
export async function runModule<Result>(run: ModuleRun): Promise<Result> {
  const { module, args, nodeArgs = [], env, cwd, signal } = run;
  const child = spawn(process.execPath, [...nodeArgs, module, ...args], {
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
  const [code, endedBy] = (await once(child, 'close')) as [number | null, string | null];
  signal.throwIfAborted();
  if (code === 0) return JSON.parse(out) as Result;
  throw new Error(`${module} ended with ${code ?? endedBy}:\n${talk}${out}`);
}
