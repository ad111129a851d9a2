import { type ExecFileOptions, execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Env } from '../../config.ts';

/** Puts a program that runs at `target`, or throws with the reason in its message. */
export type Obtain = (
  target: string,
  context: Readonly<{ env: Env; version: string; say: (line: string) => void }>,
) => Promise<void>;

const execute = promisify(execFile);

/** Runs a program to its end. Its error holds the last output of the program. */
export async function run(
  program: string,
  programArguments: readonly string[],
  options: ExecFileOptions = {},
): Promise<void> {
  try {
    await execute(program, programArguments, options);
  } catch (cause) {
    const { code, stderr = '' } = cause as { code?: string | number; stderr?: string };
    if (code === 'ENOENT') throw new Error(`${program} is not on PATH`, { cause });
    const lastLine = stderr.trim().split('\n').at(-1);
    throw new Error(`${program} failed: ${lastLine || code}`, { cause });
  }
}

/** How long a program may take to print its version, in milliseconds. */
const VERSION_TIMEOUT_MS = 30_000;

/**
 * Lets `make` produce a program in an empty folder beside `target`, tries it, and moves it to `target` in one step:
 * another reader of `target` finds a whole program or none.
 */
export async function placeProgram(
  target: string,
  make: (folder: string) => Promise<string>,
): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(join(dirname(target), 'new-'));
  try {
    const program = await make(folder);
    await chmod(program, 0o755);
    await run(program, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    await rename(program, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
