import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
// @ts-expect-error scripts run before anything is compiled, so they are JavaScript without types.
import { checkHashed, hashOf, isMadeFrom, writeStamp } from '../../scripts/built.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let compiled: string;
let lockfile: string;
let stamp: string;

const inputs = (): string => hashOf([compiled], [lockfile]);
const isFresh = (): boolean => isMadeFrom(stamp, inputs());

beforeEach(() => {
  root = temporaryFolder();
  compiled = join(root, 'compiled');
  lockfile = join(root, 'package-lock.json');
  stamp = join(root, 'bundle.inputs');
  mkdirSync(join(compiled, 'deep'), { recursive: true });
  writeFileSync(join(compiled, 'a.js'), 'export const a = 1;');
  writeFileSync(join(compiled, 'deep/b.js'), 'export const b = 1;');
  writeFileSync(lockfile, '{}');
  for (const name of ['bundle.js', 'part.js']) writeFileSync(join(root, name), '');
  writeStamp(stamp, inputs(), ['bundle.js', 'part.js']);
});

describe('a bundle is made again', () => {
  it.each([
    ['a file changed', () => writeFileSync(join(compiled, 'a.js'), 'export const a = 2;')],
    [
      'a file changed and its time did not',
      () => {
        const { atime, mtime } = statSync(join(compiled, 'a.js'));
        writeFileSync(join(compiled, 'a.js'), 'export const a = 2;');
        utimesSync(join(compiled, 'a.js'), atime, mtime);
      },
    ],
    ['a file was added', () => writeFileSync(join(compiled, 'deep/c.js'), '')],
    ['a file was removed', () => rmSync(join(compiled, 'deep/b.js'))],
    ['a file moved', () => renameSync(join(compiled, 'deep/b.js'), join(compiled, 'b.js'))],
    ['another package was installed', () => writeFileSync(lockfile, '{"a":1}')],
    ['a part of the bundle was removed', () => rmSync(join(root, 'part.js'))],
    ['its stamp was removed', () => rmSync(stamp)],
  ])('when %s', (_what, change) => {
    expect(isFresh()).toBe(true);
    change();
    expect(isFresh()).toBe(false);
  });

  it('not when a checkout changed only the time of a file', () => {
    utimesSync(join(compiled, 'a.js'), new Date(0), new Date(0));
    expect(isFresh()).toBe(true);
  });
});

describe('a bundle whose inputs are not all hashed', () => {
  it.each([
    ['a compiled file of another folder', 'elsewhere/x.js'],
    ['a folder whose name begins the same', 'compiled-too/x.js'],
    ['a file that is not compiled', 'compiled/words.json'],
  ])('is refused: %s', (_what, file) => {
    expect(() => checkHashed([join(root, file)], [compiled], [lockfile])).toThrow(file);
  });

  it.each(['compiled/deep/b.js', 'package-lock.json', 'node_modules/zod/index.js'])(
    'is accepted otherwise: %s',
    (file) => {
      expect(() => checkHashed([join(root, file)], [compiled], [lockfile])).not.toThrow();
    },
  );
});
