#!/usr/bin/env node
/**
 * Makes a clone ready to run: packages, build, workflow bundle, Temporal's command line tool.
 *
 * Each step looks first whether there is something to do; when there is not, it does and says nothing.
 * Uses nothing but Node.js itself until the packages are there.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './built.mjs';

const NODE_MIN = [20, 19];

/** Written after an installation: the hash of the lockfile that was installed. */
const STAMP = join(ROOT, 'node_modules', '.bursar-lockfile');

const say = (line) => console.error(`setup: ${line}`);

try {
  checkNode();
  installPackages();
  compile();
  await bundle();
  await obtainTemporalCli();
} catch (error) {
  const { what, why, fix } = error.note ?? { what: error.message };
  say([what, why, fix && `Fix: ${fix}`].filter(Boolean).join('\n  '));
  process.exitCode = 1;
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [majorMin, minorMin] = NODE_MIN;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return;
  throw new Error(`Node.js ${majorMin}.${minorMin} or newer is needed; this is ${process.version}`);
}

function installPackages() {
  const lockfile = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(lockfile).digest('hex');
  if (readIfThere(STAMP) === hash) return;
  if (!matchesInstalled(lockfile)) {
    say('installing packages (npm ci)');
    // No package of ours needs its install script.
    const ci = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    if (!npm(ci) && !npm([...ci, '--prefer-offline'])) throw new Error('npm ci failed, see above');
  }
  writeFileSync(STAMP, hash);
}

/** Whether the packages that lie there, installed by hand, are those of the lockfile. */
function matchesInstalled(lockfile) {
  const hidden = readIfThere(join(ROOT, 'node_modules', '.package-lock.json'));
  if (hidden === undefined) return false;
  const installed = JSON.parse(hidden).packages;
  return Object.entries(JSON.parse(lockfile).packages)
    .filter(([path, { optional }]) => path !== '' && (!optional || path in installed))
    .every(([path, { version }]) => installed[path]?.version === version);
}

/** Runs npm in the repository; the npm that runs this script, else the one on PATH. */
function npm(npmArguments) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js')
    ? succeeds(process.execPath, [cli, ...npmArguments])
    : succeeds('npm', npmArguments, { shell: process.platform === 'win32' });
}

function compile() {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const plan = spawnSync(process.execPath, [tsc, '-b', '--dry'], { cwd: ROOT, encoding: 'utf8' });
  if (plan.status === 0 && !plan.stdout.includes('A non-dry build would')) return;
  say('compiling (tsc -b)');
  if (!succeeds(process.execPath, [tsc, '-b'])) throw new Error('tsc -b failed, see above');
}

async function bundle() {
  const { bundleWorkflows } = await import('./bundle-workflows.mjs');
  await bundleWorkflows(say);
  const { bundlePrograms } = await import('./bundle-programs.mjs');
  await bundlePrograms(say);
  const { bundleWeb } = await import('./bundle-web.mjs');
  await bundleWeb(say);
}

async function obtainTemporalCli() {
  const built = join(ROOT, 'build/src/local-stack/temporal-cli/find.js');
  const { findTemporalCli } = await import(pathToFileURL(built).href);
  await findTemporalCli({ env: process.env, say });
}

function succeeds(program, programArguments, options = {}) {
  const stdio = ['ignore', 2, 2];
  return spawnSync(program, programArguments, { cwd: ROOT, stdio, ...options }).status === 0;
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
