import { rmSync } from 'node:fs';
import { dropDatabases, templateOfRun } from '../jest/test-databases.mjs';

/** Ends what the global set-up started, if it started anything, and removes what tests left in their folders. */
export default async function tearDown() {
  await globalThis.stopSharedTemporal?.();
  await dropDatabases([templateOfRun()]);
  rmSync(process.env.BURSAR_TEST_FOLDERS, { recursive: true, force: true });
}
