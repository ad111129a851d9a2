/**
 * Makes the place for the folders of tests, and starts, once for a whole test run, what tests with Temporal share: one real
 * dev server and one workflow bundle.
 * None is started when none of the chosen tests imports `test/support/temporal/shared-temporal.ts`.
 * The server ends with jest, even when jest is killed.
 *
 * jest loads this file without compiling it, so it is JavaScript and uses the built stack: run `npm run build` first.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTestFolder } from '../jest/test-folder.mjs';
import { chosenTestsImport } from './chosen-tests.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export default async function setUp({ testPathPatterns, findRelatedTests }) {
  // What tests and programs put in the folder for temporary files is removed with it.
  process.env.TMPDIR = makeTestFolder();
  process.env.BURSAR_TEST_FOLDERS = process.env.TMPDIR;
  const isUsed = chosenTestsImport({
    tests: join(ROOT, 'test'),
    // The tests of a change are named by what they reach, so any of them may be chosen.
    patterns: findRelatedTests ? [] : testPathPatterns.patterns,
    helper: join(ROOT, 'test/support/temporal/shared-temporal.ts'),
  });
  if (!isUsed) return;
  const { startShared } = await import('./shared-server.mjs');
  globalThis.stopSharedTemporal = await startShared(ROOT);
}
