import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import {
  createCheckpoints,
  type StatementRunner,
} from '../../../src/store/database/checkpoints.ts';
import { openSqlite } from '../../../src/store/database/sqlite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PAUSE_MS = 1_000;

const runnerOf = (database: InstanceType<typeof Database>): StatementRunner => ({
  executeQuery: ({ sql }) => Promise.resolve(database.exec(sql)),
});

describe('a checkpoint', () => {
  let path: string;
  let writer: InstanceType<typeof Database>;
  let nowMs: number;

  beforeEach(() => {
    path = join(temporaryFolder(), 'a.db');
    writer = open();
    writer.exec('create table t (x)');
    nowMs = 1_000;
  });
  afterEach(() => {
    writer.close();
  });

  function open(): InstanceType<typeof Database> {
    const database = new Database(path);
    database.pragma('journal_mode = WAL');
    database.pragma('wal_autocheckpoint = 0');
    return database;
  }

  const fileBytes = (): number => statSync(path).size;
  const writePages = (): void => {
    writer.exec('insert into t values (zeroblob(100000))');
  };

  it('copies the committed pages once its time has come, and not before', async () => {
    const checkpoints = createCheckpoints(path, () => nowMs);
    writePages();
    nowMs += PAUSE_MS - 1;
    await checkpoints.beforeTransaction(runnerOf(writer));
    expect(fileBytes()).toBeLessThan(100_000);
    nowMs += 1;
    await checkpoints.beforeTransaction(runnerOf(writer));
    expect(fileBytes()).toBeGreaterThan(100_000);
  });

  it('is not made while another process writes, and is made later', async () => {
    const checkpoints = createCheckpoints(path, () => nowMs);
    writePages();
    nowMs += PAUSE_MS;
    const other = open();
    other.exec('begin immediate');
    await checkpoints.beforeTransaction(runnerOf(writer));
    expect(fileBytes()).toBeLessThan(100_000);
    other.exec('rollback');
    other.close();
    nowMs += PAUSE_MS;
    await checkpoints.beforeTransaction(runnerOf(writer));
    expect(fileBytes()).toBeGreaterThan(100_000);
  });

  it('leaves no transaction open', async () => {
    const checkpoints = createCheckpoints(path, () => nowMs);
    nowMs += PAUSE_MS;
    await checkpoints.beforeTransaction(runnerOf(writer));
    expect(writer.inTransaction).toBe(false);
  });

  it('is made as a transaction of a store begins, and never after its commit', async () => {
    path = join(temporaryFolder(), 'store.db');
    const store = await openSqlite(`sqlite:${path}`);
    const before = fileBytes();
    const body = Buffer.alloc(100_000);
    const row = { received_at_ms: 1, body_sha256: 's', body, state: 'WAITING' as const };
    while (fileBytes() < before + body.length) {
      const bytesAtBegin = await store.transaction().execute(async (tx) => {
        await tx
          .insertInto('spool')
          .values({ ...row, settled_at_ms: null })
          .execute();
        return fileBytes();
      });
      expect(fileBytes()).toBe(bytesAtBegin);
    }
    await store.destroy();
  });
});
