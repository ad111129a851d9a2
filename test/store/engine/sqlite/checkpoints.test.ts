import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { createCheckpoints } from '../../../../src/store/engine/sqlite/checkpoints.ts';
import { openSqlite } from '../../../../src/store/engine/sqlite/sqlite.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const PAUSE_MS = 1_000;

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

  it('copies the committed pages once its time has come, and not before', () => {
    const checkpoints = createCheckpoints(path, () => nowMs);
    writePages();
    nowMs += PAUSE_MS - 1;
    checkpoints.atBegin();
    expect(fileBytes()).toBeLessThan(100_000);
    nowMs += 1;
    checkpoints.atBegin();
    expect(fileBytes()).toBeGreaterThan(100_000);
  });

  it('is made while its process holds the write lock', () => {
    const checkpoints = createCheckpoints(path, () => nowMs);
    writePages();
    nowMs += PAUSE_MS;
    writer.exec('begin immediate');
    checkpoints.atBegin();
    expect(fileBytes()).toBeGreaterThan(100_000);
    writer.exec('rollback');
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
