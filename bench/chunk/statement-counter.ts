import type Database from 'libsql';
import type { Counts } from './counts.ts';

/** The ways to run a prepared statement; `all` of libsql calls `iterate`. */
const RUNS = ['run', 'get', 'iterate'] as const;

type Statement = Record<(typeof RUNS)[number], (...args: unknown[]) => unknown>;
type Patched = {
  prepare(this: unknown, sql: string): Statement;
  exec(this: unknown, sql: string): unknown;
};

/** Counts the statements of all databases of the class from now on. Returns the counts, which go on. */
export function countStatements(databaseClass: typeof Database): Counts {
  const counts = { statements: 0, commits: 0 };
  const count = (sql: string): void => {
    counts.statements += 1;
    if (/^\s*commit\b/i.test(sql)) counts.commits += 1;
  };
  const database = databaseClass.prototype as unknown as Patched;
  const { prepare, exec } = database;
  database.prepare = function prepareCounted(sql) {
    const statement = prepare.call(this, sql);
    for (const name of RUNS) {
      const run = statement[name];
      statement[name] = (...args) => {
        count(sql);
        return run.apply(statement, args);
      };
    }
    return statement;
  };
  database.exec = function execCounted(sql) {
    count(sql);
    return exec.call(this, sql);
  };
  return counts;
}
