import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openSqlite } from '../../../../src/store/engine/sqlite/sqlite.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Opens the store in another process, writes, and closes it. */
const writeElsewhere = (path: string): void => {
  const program = `
    const db = new (require('libsql'))(${JSON.stringify(path)});
    db.exec('create table if not exists elsewhere (n)');
    db.close();`;
  spawnSync(process.execPath, ['-e', program]);
};

it('a store that is opened twice in one process stays open for others, with its log', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const first = await openSqlite(`sqlite:${path}`);
  const second = await openSqlite(`sqlite:${path}`);
  writeElsewhere(path);
  // SQLite removes the log when the last connection closes, and counts connections by the locks on the file.
  expect(existsSync(`${path}-wal`)).toBe(true);
  await first.destroy();
  await second.destroy();
});

it('a store and the files of SQLite beside it are of its owner alone, under any umask', async () => {
  const before = process.umask(0);
  const path = join(temporaryFolder(), 'new folder', 'store.db');
  const store = await openSqlite(`sqlite:${path}`);
  const modes = ['', '-wal', '-shm'].map((end) => statSync(`${path}${end}`).mode & 0o777);
  process.umask(before);
  await store.destroy();
  expect(modes).toEqual([0o600, 0o600, 0o600]);
});
