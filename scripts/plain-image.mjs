/**
 * The steps of deploy/Dockerfile in a plain folder: the same files, the same commands, the same Node.js, a user without rights, and
 * secrets as Kubernetes mounts them. No container is started.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choosePorts } from '../build/src/local-stack/processes/ports.js';
import { ROOT } from './built.mjs';

/** The release of Node.js in the image; .ci/run tests with the same one. */
const NODE = `node-${process.platform}-${process.arch}@24.21.0`;
/** The user of the image, and the group that Kubernetes gives the files of a Secret. */
const USER = 1_000;
const FS_GROUP = 2_000;
const ANSWER_MS_MAX = 60_000;

const isRoot = process.getuid?.() === 0;

/** Builds all stages below `folder`. Returns the folder of the last one. */
export function buildPlainImage(folder) {
  chmodSync(folder, 0o755);
  const stages = stagesOf(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'));
  const places = Object.fromEntries(stages.map(({ name }) => [name, join(folder, name)]));
  for (const { name, steps } of stages) {
    mkdirSync(places[name]);
    for (const step of steps) carryOut(step, places, name);
  }
  return places.last;
}

/** The copies and the commands in /app of each stage. */
function stagesOf(dockerfile) {
  const lines = dockerfile.replaceAll(/\\\n\s*/g, '').split('\n');
  const stages = [];
  for (const line of lines) {
    const from = /^FROM \S+(?: AS (\w+))?$/.exec(line);
    if (from) stages.push({ name: from[1] ?? 'last', steps: [] });
    else if (/^(?:COPY|RUN) /.test(line)) stages.at(-1).steps.push(line);
  }
  return stages;
}

function carryOut(step, places, name) {
  const [, act, rest] = /^(COPY|RUN) (.+)$/.exec(step);
  if (act === 'COPY') return copy(rest, places, name);
  // Packages of Debian, and the folder /data: not in a plain folder.
  if (/^(?:apt-get|mkdir) /.test(rest)) return undefined;
  console.log(`  ${rest}`);
  return execFileSync('sh', ['-c', rest], { cwd: places[name], stdio: ['ignore', 'ignore', 2] });
}

function copy(rest, places, name) {
  const from = /^--from=(\w+) /.exec(rest)?.[1];
  const words = rest.replace(/^--from=\w+ /, '').split(' ');
  const target = words.pop();
  for (const source of words) {
    const file = from ? join(places[from], source.replace(/^\/app\//, '')) : join(ROOT, source);
    if (!from) checkSent(source);
    const to = join(places[name], target, target.endsWith('/') ? basename(source) : '');
    mkdirSync(dirname(to), { recursive: true });
    const isSent = (path) =>
      from !== undefined || !/\/(?:build|node_modules)(?:\/|$)/.test(path.slice(ROOT.length));
    cpSync(file, to, { recursive: true, verbatimSymlinks: true, filter: isSent });
  }
}

/** Docker sends only the files that the list beside the Dockerfile names. */
function checkSent(source) {
  const list = readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
  const isSent = list.some((line) => line === `!${source}`.replace('./', ''));
  if (!isSent) throw new Error(`deploy/Dockerfile.dockerignore keeps ${source} from the image`);
}

/** Megabytes of a folder. */
export function sizeOf(path) {
  const about = lstatSync(path);
  if (!about.isDirectory()) return about.size / 1e6;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/**
 * Starts the programs of the image without a Temporal. Worker and bridge live; the bridge is ready, since webhooks wait in its
 * spool, and the worker is not.
 */
export async function startPrograms(app, folder) {
  const node = installNode(folder);
  const env = await surroundings(folder);
  const run = (args, more) =>
    start([node, ...args], { cwd: join(folder, 'data'), env: { ...env, ...more } });
  const program = (name) => join(app, 'build/programs', name);
  await expectCode(run([program('starter.js'), '--version']), 0, 'the command line starts');
  await expectCode(run([program('starter.js'), 'store', 'migrate']), 0, 'the store is migrated');
  for (const { name, readyCode } of [
    { name: 'worker.js', readyCode: 1 },
    { name: 'bridge.js', readyCode: 0 },
  ]) {
    const ports = {
      BURSAR_ADMIN_PORT: String(await freePort()),
      BURSAR_BRIDGE_LISTEN: `127.0.0.1:${await freePort()}`,
    };
    const child = run([program(name)], ports);
    const check = (path) => run([join(app, 'deploy/healthy.mjs'), path], ports);
    try {
      await untilHealthy(() => check('/livez').ended, child);
      const sentence = `${name} is ${readyCode === 0 ? '' : 'not '}ready without Temporal`;
      await expectCode(check('/readyz'), readyCode, sentence);
    } finally {
      child.stop();
      await child.ended;
    }
  }
}

/** The program itself, so that the user without rights can start it. */
function installNode(folder) {
  const print = ['--yes', '--package', NODE, '--', 'node', '-p', 'process.execPath'];
  const path = execFileSync('npx', print, { encoding: 'utf8' }).trim();
  const node = join(folder, 'node');
  cpSync(path, node);
  chmodSync(node, 0o755);
  return node;
}

/** Variables of a pod, with secrets as Kubernetes mounts them: links to files of root that a group may read. */
async function surroundings(folder) {
  const data = join(folder, 'data');
  const secrets = join(folder, 'secrets');
  mkdirSync(data);
  mkdirSync(join(secrets, '..data'), { recursive: true });
  for (const [name, text] of [
    ['api-secret', 'a secret of a test'],
    ['bridge-token', 'a'.repeat(43)],
  ]) {
    const file = join(secrets, '..data', name);
    writeFileSync(file, text);
    if (isRoot) chownSync(file, 0, FS_GROUP);
    chmodSync(file, isRoot ? 0o440 : 0o400);
    symlinkSync(join('..data', name), join(secrets, name));
  }
  if (isRoot) chownSync(data, USER, USER);
  return {
    PATH: process.env.PATH,
    HOME: data,
    NODE_ENV: 'production',
    TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
    BURSAR_API_BASE_URL: 'http://127.0.0.1:9',
    BURSAR_API_KEY: 'a-key',
    BURSAR_API_ACCOUNT: '0xb0b0000000000000000000000000000000000001',
    BURSAR_API_SECRET_FILE: join(secrets, 'api-secret'),
    BURSAR_BRIDGE_TOKEN_FILE: join(secrets, 'bridge-token'),
  };
}

/** Starts a program as the user of the image, if this user may do that. */
function start(command, options) {
  const as = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, `--groups=${USER},${FS_GROUP}`];
  const [program, ...args] = [...(isRoot ? as : []), ...command];
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  return {
    ended: once(child, 'close').then(([code]) => code),
    errors: () => errors,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => child.kill(),
  };
}

async function expectCode(child, code, sentence) {
  const ended = await child.ended;
  if (ended !== code)
    throw new Error(`${sentence}: exit code ${ended}, not ${code}. ${child.errors()}`);
  console.log(`  ${sentence}`);
}

async function untilHealthy(check, child) {
  for (const sinceMs = Date.now(); (await check()) !== 0; await sleep(200)) {
    if (child.isRunning() && Date.now() - sinceMs < ANSWER_MS_MAX) continue;
    throw new Error(`/livez does not answer. ${child.errors()}`);
  }
}

async function freePort() {
  const [port] = await choosePorts([{ name: 'any', host: '127.0.0.1', port: 0 }], 'free');
  return port;
}
