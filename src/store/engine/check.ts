import type { Connection } from '../database/db.ts';
import { openToCheck } from './open.ts';
import { appliedMigrations, versionOf } from './version.ts';
import { type StoreFault, wordsOf } from './words.ts';

/** The state of a store. `changes`: how many changes of its tables it has had. */
export type StoreCheck = Readonly<{
  changes: number;
  /** Changes that this version has and the store lacks, and those of a newer version. */
  missing: readonly string[];
  tooNew: readonly string[];
  faults: readonly StoreFault[];
}>;

/** Reads the state of an existing store, and changes nothing. @throws STORE_UNUSABLE, STORE_UNREACHABLE */
export async function checkStore(url: string, nowMs: () => number): Promise<StoreCheck> {
  const db = await openToCheck(url);
  try {
    return await checked(db, nowMs);
  } finally {
    await db.destroy();
  }
}

async function checked(db: Connection, nowMs: () => number): Promise<StoreCheck> {
  const { missing, tooNew } = await versionOf(db);
  const changes = (await appliedMigrations(db)).length;
  return { changes, missing, tooNew, faults: await wordsOf(db).faults(db, nowMs) };
}
