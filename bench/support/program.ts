import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Child, startChild } from '../../src/local-stack/processes/child.ts';
import { untilPrinted } from '../../src/local-stack/processes/ready.ts';
import type { Env } from '../../src/config.ts';
import type { BenchContext } from './context.ts';

/** How long a program may take to end, in milliseconds; nothing that it does then is worth waiting for. */
const STOP_GRACE_MS = 5_000;

export type Program = Readonly<{
  /** Names its log. */
  name: string;
  /** Options of Node.js, the compiled module and its arguments. */
  args: readonly string[];
  env: Env;
  folder: string;
}>;

/** Starts one of our programs, which works in its folder and writes its log there. */
export async function startProgram({ signal }: BenchContext, program: Program): Promise<Child> {
  const { name, args, env, folder: cwd } = program;
  signal.throwIfAborted();
  const command = [process.execPath, ...args] as const;
  const log = join(cwd, `${name}.log`);
  return startChild({ name, command, env, cwd, log, graceMs: STOP_GRACE_MS });
}

/** Waits until a server says where it listens: the rest of the line that begins with `readyLine`. */
export async function addressOf(server: Child, readyLine: string): Promise<string> {
  await untilPrinted(server, readyLine);
  const lines = (await readFile(server.log, 'utf8')).split('\n');
  const line = lines.find((each) => each.startsWith(readyLine)) ?? readyLine;
  return line.slice(readyLine.length).trim();
}

/** Its threads write profiles as well, each under a name that Node.js makes. */
export const profiling = ({ profileDir }: BenchContext, name: string): string[] =>
  profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profileDir, name)}`];
