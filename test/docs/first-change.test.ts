import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT, read } from '../architecture/repository.ts';

/** Files that the examples make. */
const MADE = [
  'src/operations/batch/plan-digest.ts',
  'src/cli/commands/digest.ts',
  'test/cli/digest.test.ts',
];

it('the first change names places that there are, and makes files in folders that there are', () => {
  const text = read('docs/first-change.md');
  const named = [...text.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(15);
  expect(named).toEqual(expect.arrayContaining(MADE));
  const lost = named.filter((path) => existsSync(join(ROOT, path)) === MADE.includes(path));
  expect(lost).toEqual([]);
});
