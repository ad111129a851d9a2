import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Database from 'libsql';
import { COUNTS_FILE, readCounts } from '../../bench/chunk/counts.ts';
import { countStatements } from '../../bench/chunk/statement-counter.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const counts = countStatements(Database);
let database: InstanceType<typeof Database>;

beforeEach(() => {
  database = new Database(':memory:');
  database.exec('create table t (n integer)');
});

afterEach(() => {
  database.close();
});

/** How the counts grow while `work` runs. */
function countsOf(work: () => void) {
  const { statements, commits } = counts;
  work();
  return { statements: counts.statements - statements, commits: counts.commits - commits };
}

it.each([
  ['run', () => database.prepare('insert into t values (1)').run()],
  ['get', () => database.prepare('select n from t').get()],
  ['all', () => database.prepare('select n from t').all()],
  ['exec', () => database.exec('delete from t')],
])('%s is one statement', (_name, work) => {
  expect(countsOf(work)).toEqual({ statements: 1, commits: 0 });
});

it('a statement that is prepared once counts each time that it runs', () => {
  const statement = database.prepare('select n from t');
  expect(countsOf(() => [statement.all(), statement.get()]).statements).toBe(2);
});

it('only a commit is a commit', () => {
  const work = () => {
    for (const sql of ['begin immediate', 'savepoint one', 'release one', 'commit']) {
      database.prepare(sql).run();
    }
  };
  expect(countsOf(work)).toEqual({ statements: 4, commits: 1 });
});

it('the counts of all threads of a process are added, and are read once', async () => {
  const folder = temporaryFolder();
  const write = (name: string, statements: number): void =>
    writeFileSync(join(folder, COUNTS_FILE + name), JSON.stringify({ statements, commits: 1 }));
  write('7-0.json', 10);
  write('7-1.json', 5);
  expect(await readCounts(folder)).toEqual({ statements: 15, commits: 2 });
  await expect(readCounts(folder)).rejects.toThrow('no counts');
});
