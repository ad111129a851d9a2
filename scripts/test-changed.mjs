#!/usr/bin/env node
/**
 * Runs the tests that the change since a commit reaches: `npm run test:changed`, or `npm run test:changed -- COMMIT`. Without
 * a commit it is where this branch left `main`. CONTRIBUTING.md says which tests these are, and which are left out.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './built.mjs';

/** They read sources, titles of tests and documents as text, so every change may matter to them. */
const READERS = ['test/architecture/', 'test/docs/', 'test/mutants/'];

/** After such a change jest itself, or what it starts, is another: nothing in the fast layer is left out. */
const SET_UP =
  /^(package(-lock)?\.json|jest\.config\.js|tsconfig.*\.json|scripts\/.+|test\/support\/(jest|temporal|cli)\/.+\.mjs)$/;

const CODE = /\.(ts|tsx|mjs|js)$/;
const TEST = /^(?:packages\/[^/]+\/)?test\/.+\.test\.ts$/;

/**
 * The files whose tests are run, and of the changed files those that are tests themselves; `files` is null when all tests of
 * the fast layer are run. `tests` maps each file of tests to its text.
 */
export function chooseTests(changed, tests) {
  const changedTests = changed.filter((file) => tests.has(file));
  if (changed.some((file) => SET_UP.test(file))) return { files: null, changedTests };
  const texts = changed.filter((file) => !CODE.test(file)).map((file) => basename(file));
  const readers = [...tests]
    .filter(
      ([file, text]) =>
        READERS.some((folder) => file.startsWith(folder)) ||
        texts.some((name) => text.includes(name)),
    )
    .map(([file]) => file);
  const code = changed.filter((file) => CODE.test(file));
  return { files: [...new Set([...code, ...readers])], changedTests };
}

function changedSince(commit) {
  const tracked = git('diff', '--name-only', '--no-renames', '--merge-base', commit);
  return [...tracked, ...git('ls-files', '--others', '--exclude-standard')];
}

function git(...gitArguments) {
  const { status, stdout } = spawnSync('git', gitArguments, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(1);
  return stdout.split('\n').filter((line) => line !== '');
}

const readTests = () =>
  new Map(
    ['test', 'packages']
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true }).map(
          (name) => `${folder}/${String(name)}`,
        ),
      )
      .filter((file) => TEST.test(file))
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  );

/** Runs jest for one layer; whether it ended well. */
function jest(layer, ...jestArguments) {
  const options = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'];
  const runner = join(ROOT, 'node_modules/jest/bin/jest.js');
  const all = [
    ...options,
    runner,
    '--selectProjects',
    layer,
    '--passWithNoTests',
    ...jestArguments,
  ];
  return spawnSync(process.execPath, all, { cwd: ROOT, stdio: 'inherit' }).status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [commit = 'main'] = process.argv.slice(2);
  const { files, changedTests } = chooseTests(changedSince(commit), readTests());
  const isFastGood = files === null ? jest('fast') : jest('fast', '--findRelatedTests', ...files);
  // Those that are in the fast layer have run already.
  const isSlowGood = changedTests.length === 0 || jest('slow', '--runTestsByPath', ...changedTests);
  process.exitCode = isFastGood && isSlowGood ? 0 : 1;
}
