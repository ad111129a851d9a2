import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import type { Connection } from '../../src/store/database/db.ts';
import { migrate, openConnection } from '../../src/store/engine/open.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { onServerOfTests, serverOfTests, templateOfRun } from './jest/test-databases.mjs';
import { temporaryFolder } from './temporary-folder.ts';

/** Whether the stores of tests lie on the PostgreSQL of `BURSAR_TEST_POSTGRES`, whose clock no test can set. */
export const onServer = serverOfTests() !== undefined;

/** The databases that this file of tests has made. The environment of jest removes them when the file has ended. */
const made: Set<string> = new Set();
Object.assign(globalThis, { databasesOfTests: made });

export const openTestStore = async (folder: string): Promise<Store> =>
  openStore(await testStoreUrl(folder));

/** The url of the store of a folder: a database of its own on the PostgreSQL of `BURSAR_TEST_POSTGRES`, else a SQLite file. */
export async function testStoreUrl(folder: string): Promise<string> {
  const server = serverOfTests();
  if (server === undefined) return migrated(`sqlite:${join(folder, 'store.db')}`);
  const name = `test_${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  if (made.has(name)) return url.href;
  await onServerOfTests(async (client) => {
    await makeTemplate(client, url);
    await client.query(`create database "${name}" template "${templateOfRun()}"`);
  });
  await makeIdentity(url.href);
  made.add(name);
  return url.href;
}

/** Stores have ids of their own. */
async function makeIdentity(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('update store_identity set id = gen_random_uuid()');
  await client.end();
}

/** The database of a store in a SQLite file, also where the other stores of tests lie on a server. */
export const openTestSqlite = async (): Promise<Connection> =>
  openConnection(await migrated(`sqlite:${join(temporaryFolder(), 'store.db')}`));

/** A SQLite file with the tables of a store. All tests of a run copy it. */
const TEMPLATE = join(process.env['BURSAR_TEST_FOLDERS'] ?? temporaryFolder(), 'empty-store.db');

/**
 * The url of a store in a SQLite file. Where there is no file yet, it becomes a copy of a store without rows: the migrations
 * would take thirty times as long.
 */
export async function migrated(url: string): Promise<string> {
  const path = url.replace(/^sqlite:/, '');
  // Any other store is as it is.
  if (!url.startsWith('sqlite:') || path === ':memory:' || existsSync(path)) return url;
  if (!existsSync(TEMPLATE)) await makeSqliteTemplate();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  copyFileSync(TEMPLATE, path);
  const db = await openConnection(url);
  await sql`update store_identity set id = ${randomUUID()}`.execute(db);
  await db.destroy();
  return url;
}

async function makeSqliteTemplate(): Promise<void> {
  const file = join(temporaryFolder(), 'store.db');
  const db = await openConnection(`sqlite:${file}`);
  // The file alone is copied, without its log.
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
  await db.destroy();
  renameSync(file, TEMPLATE);
}

/** Applies the migrations once for all tests of a run: a copy of the result is made forty times as fast. */
async function makeTemplate(client: pg.Client, server: URL): Promise<void> {
  const name = templateOfRun();
  await client.query('select pg_advisory_lock(hashtext($1))', [name]);
  try {
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rows.length > 0) return;
    await client.query(`create database "${name}_making"`);
    const url = new URL(server);
    url.pathname = `/${name}_making`;
    await migrate(url.href);
    await client.query(`alter database "${name}_making" rename to "${name}"`);
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [name]);
  }
}
