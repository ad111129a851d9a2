import { rmSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

const STORE = 'store.db';
/** Files of a database. */
const SUFFIXES = ['', '-wal', '-shm'];

/** Takes a copy of a store that is at work, as a nightly backup would; one that was taken before is gone then. */
export function copyStore(folder: string): string {
  const copy = join(folder, 'store-copy.db');
  for (const suffix of SUFFIXES) rmSync(copy + suffix, { force: true });
  const store = new Database(join(folder, STORE));
  store.exec(`vacuum into '${copy.replaceAll("'", "''")}'`);
  store.close();
  return copy;
}

/** How many attempts of creates a copy knows. */
export const attemptsIn = (copy: string): number =>
  numberIn(copy, 'select count(*) as n from attempt');

/** The number of the last entry in the audit log of a copy. */
export const lastEntryIn = (copy: string): number =>
  numberIn(copy, 'select max(seq) as n from audit');

function numberIn(copy: string, query: string): number {
  const store = new Database(copy, { readonly: true });
  try {
    return (store.prepare(query).get() as { n: number }).n;
  } finally {
    store.close();
  }
}

/** Puts an older copy in the place of the store. Nobody may have the store open. */
export function restoreStore(folder: string, copy: string): void {
  for (const suffix of SUFFIXES) rmSync(join(folder, STORE + suffix), { force: true });
  copyFileSync(copy, join(folder, STORE));
}
