import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Env } from '../../src/config.ts';

/** Where a program runs. */
export type Surroundings = Readonly<{
  env: Env;
  cwd: string;
  /** Ends the program. */
  signal: AbortSignal;
  /** Receives the process id of the program when it has started. */
  onStart?: (pid: number) => void;
}>;

export type ModuleRun = Surroundings &
  Readonly<{
    /** Path of the compiled module. */
    module: string;
    args: readonly string[];
    /** Options of Node.js itself. */
    nodeArgs?: readonly string[];
  }>;

/** How a program ended, and everything that it printed. */
export type ProgramEnd = Readonly<{ end: number | string | null; out: string; errors: string }>;

/** Path of a compiled module by its place beside this one, for example `../ingest/measure-parser.js`. */
export const compiled = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Runs Node.js with these arguments to its end. `end` is the exit code, or the signal that ended it. */
export async function runNode(
  args: readonly string[],
  { env, cwd, signal, onStart }: Surroundings,
): Promise<ProgramEnd> {
  const child = spawn(process.execPath, args, {
    env,
    cwd,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) onStart?.(child.pid);
  let [out, errors] = ['', ''];
  child.stdout.on('data', (text) => {
    out += String(text);
  });
  child.stderr.on('data', (text) => {
    errors += String(text);
  });
  const [code, endedBy] = (await once(child, 'close')) as [number | null, string | null];
  signal.throwIfAborted();
  return { end: code ?? endedBy, out, errors };
}

/** Runs one of our programs to its end and reads the JSON that it prints. Throws with its errors when it fails. */
export async function runModule<Result>(run: ModuleRun): Promise<Result> {
  const { module, args, nodeArgs = [], ...surroundings } = run;
  const { end, out, errors } = await runNode([...nodeArgs, module, ...args], surroundings);
  if (end === 0) return JSON.parse(out) as Result;
  throw new Error(`${module} ended with ${end}:\n${errors}${out}`);
}
