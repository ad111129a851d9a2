import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Env } from '../../config.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Obtain } from './place-program.ts';
import { buildTemporalCli } from './temporal-cli-build.ts';
import { createDownload } from './temporal-cli-download.ts';

/** The newest version that `go install` can build, and the one that the stack was tried with. */
export const TEMPORAL_CLI_VERSION = 'v1.5.1';

export type CliSearch = Readonly<{
  env: Env;
  /** Where a downloaded or built tool is kept: outside the repository, so that one serves all clones. */
  cacheDir?: string;
  /** Told what is done, before anything that takes long. */
  say: (line: string) => void;
  /** How a missing tool is obtained, in order. */
  obtain?: Readonly<Record<string, Obtain>>;
}>;

const OBTAIN = {
  download: createDownload({ service: 'https://temporal.download/cli', silenceMsMax: 15_000 }),
  'go install': buildTemporalCli,
};

/**
 * Finds Temporal's command line tool: `BURSAR_TEMPORAL_CLI`, `temporal` on PATH, the cache, a download, `go install`.
 * Throws TEMPORAL_CLI_MISSING with everything that was tried.
 */
export async function findTemporalCli(search: CliSearch): Promise<string> {
  const { env, cacheDir = temporalCacheDir(env) } = search;
  const named = env['BURSAR_TEMPORAL_CLI'];
  if (named) return requireProgram(resolve(named));
  const cached = join(cacheDir, TEMPORAL_CLI_VERSION, PROGRAM);
  const found = await firstProgram([...placesOnPath(env), cached]);
  return found ?? obtainInto(cached, search);
}

async function obtainInto(
  cached: string,
  { env, say, obtain = OBTAIN }: CliSearch,
): Promise<string> {
  const tried = ['temporal on PATH: not there', `the cache ${cached}: not there`];
  for (const [name, put] of Object.entries(obtain)) {
    try {
      await put(cached, { env, version: TEMPORAL_CLI_VERSION, say });
      return cached;
    } catch (error) {
      tried.push(`${name}: ${(error as Error).message}`);
    }
  }
  throw missing(tried);
}

/** The cache folder of this user, after the XDG rules. */
export const temporalCacheDir = (env: Env): string =>
  join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'bursar', 'temporal-cli');

const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

const placesOnPath = (env: Env): string[] =>
  (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => resolve(folder, PROGRAM));

async function firstProgram(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (await isProgram(path)) return path;
  }
  return undefined;
}

/** Somebody chose this one, so no other will do. */
async function requireProgram(path: string): Promise<string> {
  if (await isProgram(path)) return path;
  throw missing([`BURSAR_TEMPORAL_CLI (${path}): no program`]);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

const missing = (tried: readonly string[]) =>
  new BursarError('TEMPORAL_CLI_MISSING', { tried: tried.join('; ') });
