import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Where the folders of this process are. What stood there is of a file of tests that has ended; `global-teardown` removes
 * the rest. No hook does: it would come before those of the tests, which stop what they started, and look at what it left.
 */
const place = join(process.env['BURSAR_TEST_FOLDERS'] ?? tmpdir(), `process ${process.pid}`);
rmSync(place, { recursive: true, force: true });

/** A folder of a test's own, there until its file has ended. Its name has a space, as users' folders do. */
export function temporaryFolder(): string {
  mkdirSync(place, { recursive: true });
  return mkdtempSync(join(place, 'bursar test '));
}

/** A folder that all tests of a file share. */
export const sharedFolder = (): string => temporaryFolder();
