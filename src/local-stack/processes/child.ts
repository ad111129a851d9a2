import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Env } from '../../config.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { KeeperMessage } from './keeper.ts';
import { packageRoot } from '../package-root.ts';

/** How long a program may take to end after SIGTERM before it is killed, in milliseconds. */
const STOP_GRACE_MS = 15_000;

/** A program and its arguments, and where it runs. */
export type KeptProgram = Readonly<{
  command: readonly [string, ...string[]];
  env: Env;
  cwd: string;
  graceMs?: number;
}>;

/** A program, and the file that takes everything it prints. The file of the run before is kept as `.previous`. */
export type ProgramLog = Readonly<{ name: string; log: string }>;

export type ChildSpec = ProgramLog & KeptProgram;

/** A running program that ends when this process does, in any way that ends. */
export type Child = ProgramLog &
  Readonly<{
    /** Process id of the program itself. */
    pid: number;
    /** Resolves to how the program ended ("exit code 1", "signal SIGKILL"), and never rejects. */
    ended: Promise<string>;
    /** Sends the program SIGTERM, and waits for its end; kills it after the grace period. */
    stop(): Promise<void>;
  }>;

/** Starts a program under a keeper. Throws PROCESS_DIED when it cannot be started. */
export async function startChild(spec: ChildSpec): Promise<Child> {
  const keeper = spawnLogged(spec);
  const ended = endOf(keeper);
  const pid = await Promise.race([pidOf(keeper), ended]);
  if (typeof pid === 'string') throw processDied(spec, pid);
  const { name, log } = spec;
  return {
    name,
    log,
    pid,
    ended,
    async stop() {
      if (keeper.connected) keeper.disconnect();
      await ended;
    },
  };
}

export const processDied = ({ name, log }: ProgramLog, code: string) =>
  new BursarError('PROCESS_DIED', { name, code, log });

function spawnLogged(spec: ChildSpec): ChildProcess {
  const output = openLog(spec.log);
  try {
    return spawnKeeper(spec, output);
  } finally {
    closeSync(output);
  }
}

/**
 * Starts a program under a keeper. The keeper gets a process group of its own, so that Ctrl-C reaches this process alone,
 * which then stops the program. `output` takes what the program prints: an open file, or a pipe to this process.
 */
export function spawnKeeper(
  { command, env, cwd, graceMs = STOP_GRACE_MS }: KeptProgram,
  output: number | 'pipe',
): ChildProcess {
  const keeperFile = join(packageRoot(), 'build/src/local-stack/processes/keeper.js');
  return spawn(process.execPath, [keeperFile, String(graceMs), ...command], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
}

function openLog(log: string): number {
  mkdirSync(dirname(log), { recursive: true });
  try {
    renameSync(log, `${log}.previous`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return openSync(log, 'a');
}

const pidOf = (keeper: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    keeper.on('message', (message: KeeperMessage) => {
      if ('pid' in message) resolve(message.pid);
    });
  });

/** How the program ended, by its keeper; when the keeper was ended by force, how that was. */
export async function endOf(keeper: ChildProcess): Promise<string> {
  let told: string | undefined;
  keeper.on('message', (message: KeeperMessage) => {
    if ('ended' in message) told = message.ended;
  });
  // The last message and the last output can come after the exit, but not after the end of the channel and of the pipes.
  const [[code, signal]] = await Promise.all([
    once(keeper, 'exit'),
    once(keeper, 'disconnect'),
    ...[keeper.stdout, keeper.stderr].map((stream) => stream !== null && finished(stream)),
  ]);
  return told ?? (signal === null ? `exit code ${code}` : `signal ${signal}`);
}
