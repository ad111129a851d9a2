import { afterAll, afterEach } from '@jest/globals';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

export const fixture = (name: string): string =>
  join(REPOSITORY, 'test/local-stack/fixtures', name);

const ofTest: string[] = [];
const ofFile: string[] = [];

/** A new folder, with a space in its path, that is gone after the test. */
export const newFolder = (): string => make(ofTest);

/** The same, but it lasts until the test file is through. */
export const keptFolder = (): string => make(ofFile);

function make(list: string[]): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'bursar stack '));
  list.push(folder);
  return folder;
}

function remove(list: string[]): void {
  for (const folder of list.splice(0)) rmSync(folder, { recursive: true, force: true });
}

afterEach(() => remove(ofTest));
afterAll(() => remove(ofFile));
