import { expect, it } from '@jest/globals';
import { read, sourceFiles } from './repository.ts';

const namersOf = (pattern: RegExp): string[] =>
  sourceFiles().filter((file) => pattern.test(read(file)));

/** Files of the store that hold a connection which can write. All others read by `Db` and write by the `Tx` of `decide`. */
const OPENERS = [
  'src/store/engine/open-database.ts',
  'src/store/engine/open.ts',
  'src/store/index.ts',
  'src/store/webhooks/spool-glance.ts',
];

it('only the store opens a connection that can write', () => {
  expect(namersOf(/\bopenConnection\b/).sort()).toEqual(OPENERS);
});

it('only the room of the engines names one in code', () => {
  const inCode = (file: string): string => read(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const named =
    /\bisPostgres\b|\bopen(?:Sqlite|Postgres)\b|\bpragma\b|\browid\b|pg_|sqlite_master|'libsql'|from 'pg'/;
  const others = sourceFiles()
    .filter((file) => file.startsWith('src/') && !file.startsWith('src/store/engine/'))
    .filter((file) => named.test(inCode(file)));
  expect(others.sort()).toEqual([
    // The place of a text in a damaged file.
    'src/domain/errors/audit-errors.ts',
    // A lock between programs, and no store.
    'src/local-stack/lock.ts',
    // Stores of earlier versions are files.
    'src/store/database/migrations.ts',
    // A file of one machine, beside each engine.
    'src/store/sending/unsent-list.ts',
  ]);
});

it('only tests write a store outside of its scopes', () => {
  expect(namersOf(/\bwritableDb\b/)).toEqual(['src/store/database/writable.ts']);
});

it('only `decide` begins a transaction', () => {
  expect(namersOf(/\.transaction\(\)/).filter((file) => file.startsWith('src/'))).toEqual([
    'src/store/database/decide.ts',
  ]);
});
