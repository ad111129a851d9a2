import { existsSync } from 'node:fs';
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { sharedFolder, temporaryFolder } from './temporary-folder.ts';

const shared = sharedFolder();
let ofTest = shared;
afterEach(() => expect([ofTest, existsSync(ofTest)]).toEqual([ofTest, true]));
afterAll(() => expect([shared, existsSync(shared)]).toEqual([shared, true]));

it('a folder exists while tests stop its programs, and read its files', () => {
  ofTest = temporaryFolder();
  expect(ofTest).not.toBe(shared);
});
