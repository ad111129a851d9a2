import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3_KEYS } from '../bench/support/s3-server.ts';
import { isBursarError } from '../src/domain/errors/bursar-error.ts';
import { type Options, readOptions, USAGE, UsageError } from './options.ts';
import { resultJson, resultText } from './result.ts';
import { runChaos } from './run.ts';
import { canFillDisk } from './faults/storage.ts';

const EXIT_BROKEN = 1;
const EXIT_USAGE = 2;

/** Says that this process may mount, and that nobody else sees what it mounts. */
const MAY_MOUNT = 'BURSAR_CHAOS_MAY_MOUNT';

const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

/** A full disk needs a file system of its own, and that a mount which ends with the process: the program starts itself there. */
function runWhereMountsArePrivate(args: readonly string[]): number {
  const isRoot = process.getuid?.() === 0;
  const own = isRoot ? ['--mount'] : ['--mount', '--user', '--map-root-user'];
  const [node, script = ''] = process.argv;
  const { status, error } = spawnSync('unshare', [...own, '--', node ?? 'node', script, ...args], {
    stdio: 'inherit',
    env: { ...process.env, [MAY_MOUNT]: '1' },
  });
  if (error === undefined && status !== null) return status;
  const why = error?.message ?? 'it was killed';
  process.stderr.write(
    `A disk that can be full needs "unshare" of Linux (${why}). Without that fault: --without "disk full".\n`,
  );
  return EXIT_USAGE;
}

function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

async function play(options: Options): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-chaos-'));
  const signal = interruption();
  const keep = (): void => {
    // What is mounted would be gone with this process.
    cpSync(folder, `${folder}-kept`, { recursive: true });
    say(`everything lies in ${folder}-kept`);
  };
  // The judge reads the bucket of a cluster in this process.
  Object.assign(process.env, S3_KEYS);
  try {
    const result = await runChaos({ folder, options, env: process.env, say, signal });
    process.stdout.write(`${options.json ? resultJson(result) : resultText(result)}\n`);
    if (result.broken.length === 0) return 0;
    keep();
    return EXIT_BROKEN;
  } catch (error) {
    // Hours may have gone into what could not be judged.
    if (!signal.aborted && !(error instanceof UsageError)) keep();
    throw error;
  } finally {
    if (canFillDisk(options)) spawnSync('umount', ['--lazy', join(folder, 'disk')]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const options = readOptions(args, Date.now());
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const needsMount = canFillDisk(options);
  if (needsMount && process.env[MAY_MOUNT] === undefined) return runWhereMountsArePrivate(args);
  return play(options);
}

try {
  // Not by running out of work: what was cut off on purpose can keep Node.js from ever closing it.
  process.exit(await main());
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n${USAGE}`);
    process.exitCode = EXIT_USAGE;
  } else {
    const text = isBursarError(error)
      ? `${error.note.what} ${error.note.fix}`
      : String((error as Error).stack);
    process.stderr.write(`${text}\n`);
    // Whatever else of the run is still under way has no ground to stand on any more.
    process.exit(EXIT_BROKEN);
  }
}
