import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from '@jest/globals';

const ofTest: string[] = [];
const ofFile: string[] = [];

const removeAll = (folders: string[]): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};
afterEach(() => removeAll(ofTest));
afterAll(() => removeAll(ofFile));

/** A folder of this test's own, removed when the test ends. Its name has a space, as users' folders do. */
export function temporaryFolder(): string {
  return make(ofTest);
}

/** A folder that all tests of a file share. */
export function sharedFolder(): string {
  return make(ofFile);
}

function make(owned: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'bursar test '));
  owned.push(folder);
  return folder;
}
