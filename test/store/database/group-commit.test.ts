import type { Db } from '../../../src/store/database/db.ts';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createGroupCommit } from '../../../src/store/database/group-commit.ts';
import { openSqlite } from '../../../src/store/database/sqlite.ts';
import { fillDisk } from '../../support/full-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const open = () => openSqlite(`sqlite:${join(temporaryFolder(), 'a.db')}`);

const insert = (account: string) => async (tx: Db) => {
  await tx.insertInto('pace').values({ account, slot_ms: 1 }).execute();
  return account;
};

const accounts = async (db: Db) =>
  (await db.selectFrom('pace').select('account').orderBy('account').execute()).map(
    ({ account }) => account,
  );

describe('writes that come in together', () => {
  it('are all done, and each gets its own answer', async () => {
    const db = await open();
    const write = createGroupCommit(db);
    const names = Array.from({ length: 200 }, (_, i) => `a${String(i).padStart(3, '0')}`);
    expect(await Promise.all(names.map((name) => write(insert(name))))).toEqual(names);
    expect(await accounts(db)).toEqual(names);
    await db.destroy();
  });

  it('fail alone: a half-done write is undone, and the others stay', async () => {
    const db = await open();
    const write = createGroupCommit(db);
    const half = async (tx: Db) => {
      await insert('half')(tx);
      throw new Error('changed my mind');
    };
    const ends = await Promise.allSettled([
      write(insert('before')),
      write(half),
      write(insert('before')),
      write(insert('after')),
    ]);
    expect(ends.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await accounts(db)).toEqual(['after', 'before']);
    await db.destroy();
  });

  it('all fail when the commit does', async () => {
    const db = await open();
    const write = createGroupCommit(db);
    await db.destroy();
    const ends = await Promise.allSettled([write(insert('one')), write(insert('two'))]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('all fail, by its name, when the disk is full for one of them, and go on when it is not', async () => {
    const db = await open();
    const write = createGroupCommit(db);
    const makeRoom = await fillDisk(db);
    const both = () =>
      Promise.allSettled([write(insert('small')), write(insert('x'.repeat(9_999)))]);
    for (const end of await both()) {
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'STORE_FULL' } });
    }
    expect(await accounts(db)).toEqual([]);
    await makeRoom();
    expect((await both()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    await db.destroy();
  });

  it('see the rows of earlier writes', async () => {
    const db = await open();
    const write = createGroupCommit(db);
    const count = (tx: Db) => accounts(tx).then((all) => all.length);
    expect(await Promise.all([write(count), write(insert('x')), write(count)])).toEqual([
      0,
      'x',
      1,
    ]);
    await db.destroy();
  });
});
