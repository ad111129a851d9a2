import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createFiles } from '../../src/files/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { blocksOf, filesKeepTheirContract, hashOf } from './support/contract.ts';

describe('files in a folder', () => {
  filesKeepTheirContract(async () => {
    const folder = temporaryFolder();
    return {
      files: createFiles(`file:${folder}`),
      async putRaw(path, text) {
        mkdirSync(join(folder, path, '..'), { recursive: true });
        writeFileSync(join(folder, path), text);
      },
    };
  });
});

it('a folder keeps copies private, and leaves no draft behind', async () => {
  const folder = join(temporaryFolder(), 'new');
  const files = createFiles(`file:${folder}`);
  expect(existsSync(folder)).toBe(false);
  await files.put(hashOf('abc'), blocksOf('abc'));
  await files.put(hashOf('other'), blocksOf('abc'));
  expect(readdirSync(folder)).toEqual([hashOf('abc')]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, hashOf('abc'))).mode & 0o777).toBe(0o600);
});
