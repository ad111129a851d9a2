import { expect, it } from '@jest/globals';
import { read, sourceFiles } from './repository.ts';

const namersOf = (pattern: RegExp): string[] =>
  sourceFiles().filter((file) => pattern.test(read(file)));

/** Files of the store that hold a connection which can write. All others read by `Db` and write by the `Tx` of `decide`. */
const OPENERS = [
  'src/store/database/open-database.ts',
  'src/store/database/sqlite.ts',
  'src/store/index.ts',
  'src/store/webhooks/spool-glance.ts',
];

it('only the store opens a connection that can write', () => {
  expect(namersOf(/\bopenSqlite\b/).sort()).toEqual(OPENERS);
});

it('only tests write a store outside of its scopes', () => {
  expect(namersOf(/\bwritableDb\b/)).toEqual(['src/store/database/writable.ts']);
});

it('only `decide` begins a transaction', () => {
  expect(namersOf(/\.transaction\(\)/).filter((file) => file.startsWith('src/'))).toEqual([
    'src/store/database/decide.ts',
  ]);
});
