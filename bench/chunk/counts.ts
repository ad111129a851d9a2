import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compiled } from '../support/run-module.ts';

/** SQL statements that a process ran, and how many of them were commits. */
export type Counts = Readonly<Record<'statements' | 'commits', number>>;

/** How the names of the files begin into which the threads of a process write their counts at their end. */
export const COUNTS_FILE = 'sql-counts-';

/** The module that counts, for `node --import`. */
export const COUNTER = compiled('../chunk/count-statements.js');

/** Reads and removes the counts of a process that has ended in a folder. Throws when there are none. */
export async function readCounts(folder: string): Promise<Counts> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(COUNTS_FILE));
  if (names.length === 0) throw new Error('the worker wrote no counts of SQL statements');
  const all: Counts[] = [];
  for (const name of names) {
    const path = join(folder, name);
    all.push(JSON.parse(await readFile(path, 'utf8')) as Counts);
    await rm(path);
  }
  return {
    statements: all.reduce((sum, { statements }) => sum + statements, 0),
    commits: all.reduce((sum, { commits }) => sum + commits, 0),
  };
}
