/**
 * Runs once for a whole run of tests. It makes the folder for everything that tests write. If a chosen test runs compiled
 * files, it sets the clone up, so that build/ was made from the sources of now: with old compiled workflows a test fails
 * for a reason that it does not show. If a chosen test uses the shared Temporal, it starts one real dev server.
 *
 * jest loads this file without compiling it, so it is JavaScript. The server ends with jest, even when jest is killed.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usesCompiledFiles } from '../jest/dependencies.mjs';
import { makeTestFolder } from '../jest/test-folder.mjs';
import { chosenTestsReach } from './chosen-tests.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SHARED_TEMPORAL = join(ROOT, 'test/support/temporal/shared-temporal.ts');

const testFolders = () => [
  join(ROOT, 'test'),
  ...readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name, 'test')),
];

export default async function setUp({ testPathPatterns, findRelatedTests }) {
  const chosen = {
    folders: testFolders(),
    // The patterns of the tests of a change name sources, so any test may be chosen.
    patterns: findRelatedTests ? [] : testPathPatterns.patterns,
  };
  if (chosenTestsReach({ ...chosen, accepts: (_file, text) => usesCompiledFiles(text) })) {
    setUpClone();
  }
  // Tests and programs put their temporary files here, and the folder is removed at the end.
  process.env.TMPDIR = makeTestFolder();
  process.env.BURSAR_TEST_FOLDERS = process.env.TMPDIR;
  if (!chosenTestsReach({ ...chosen, accepts: (file) => file === SHARED_TEMPORAL })) return;
  const { startShared } = await import('./shared-server.mjs');
  globalThis.stopSharedTemporal = await startShared(ROOT);
}

/** Compiles and bundles what changed, as `npm run setup`; under a second when nothing did. */
function setUpClone() {
  const script = join(ROOT, 'scripts/setup.mjs');
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the compiled files are not up to date: see the set-up above');
}
