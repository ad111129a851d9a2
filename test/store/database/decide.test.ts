import type { Connection, Db, Tx } from '../../../src/store/database/db.ts';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createDecide, type Decide } from '../../../src/store/database/decide.ts';
import type { Scope } from '../../../src/store/engine/scopes.ts';
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.ts';
import { fillDisk } from '../../support/full-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let path: string;
let db: Connection;
let decide: Decide;
let transactions: number;
let nowMs: number;
/** Runs before each transaction. */
let onBegin: () => Promise<unknown>;

beforeEach(async () => {
  path = join(temporaryFolder(), 'a.db');
  db = await openSqlite(`sqlite:${path}`);
  transactions = 0;
  nowMs = 0;
  onBegin = () => Promise.resolve();
  const begin = db.transaction.bind(db);
  db.transaction = () => {
    transactions += 1;
    const transaction = begin();
    const execute = transaction.execute.bind(transaction);
    return Object.assign(transaction, {
      execute: (work: Parameters<typeof execute>[0]) => onBegin().then(() => execute(work)),
    });
  };
  decide = createDecide(db, () => nowMs);
});
afterEach(() => db.destroy());

const write = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  decide(['store'], work);

const insert = (account: string) => async (tx: Tx) => {
  await tx.insertInto('pace').values({ account, slot_ms: 1 }).execute();
  return account;
};

const accounts = async (from: Db) =>
  (await from.selectFrom('pace').select('account').orderBy('account').execute()).map(
    ({ account }) => account,
  );

const statusesOf = (ends: readonly PromiseSettledResult<unknown>[]) =>
  ends.map(({ status }) => status);

describe('writes that come in together', () => {
  it('are all done in few transactions, and each gets its own result', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `a${String(i).padStart(3, '0')}`);
    expect(await Promise.all(names.map((name) => write(insert(name))))).toEqual(names);
    expect(await accounts(db)).toEqual(names);
    expect(transactions).toBe(4);
  });

  it('begin no further transaction until the results of the last have acted', async () => {
    let sent = 0;
    onBegin = () => Promise.resolve(expect(sent).toBe(transactions === 1 ? 0 : 64));
    const writeAndSend = async (name: string) => {
      await write(insert(name));
      for (let hops = 0; hops < 100; hops += 1) await Promise.resolve();
      sent += 1;
    };
    await Promise.all(Array.from({ length: 65 }, (_, i) => writeAndSend(`a${i}`)));
    expect(transactions).toBe(2);
  });

  it('fail alone: a half-done write is undone, and the others are stored', async () => {
    const half = async (tx: Tx) => {
      await insert('half')(tx);
      throw new Error('it failed half-way');
    };
    const ends = await Promise.allSettled([
      write(insert('first')),
      write(half),
      write(insert('first')),
      write(insert('last')),
    ]);
    expect(statusesOf(ends)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(ends[1]).toMatchObject({ reason: { message: 'it failed half-way' } });
    expect(await accounts(db)).toEqual(['first', 'last']);
  });

  it('return nothing of a try that was rolled back', async () => {
    let runs = 0;
    const counted = write(async (tx) => {
      runs += 1;
      await insert('counted')(tx);
      return runs;
    });
    const failing = write(() => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await counted).toBe(2);
  });

  it('all fail when the transaction cannot begin, and no write is tried twice', async () => {
    await db.destroy();
    const ends = await Promise.allSettled([write(insert('one')), write(insert('two'))]);
    expect(statusesOf(ends)).toEqual(['rejected', 'rejected']);
    expect(transactions).toBe(1);
  });

  it('all fail at once when another process has the store, and go on when it is free', async () => {
    await sql`pragma busy_timeout = 20`.execute(db);
    const other = await openSqlite(`sqlite:${path}`);
    await sql`begin immediate`.execute(other);
    const both = () => Promise.allSettled([write(insert('one')), write(insert('two'))]);
    for (const end of await both()) {
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'STORE_BUSY' } });
    }
    expect(transactions).toBe(1);
    await sql`rollback`.execute(other);
    await other.destroy();
    expect(statusesOf(await both())).toEqual(['fulfilled', 'fulfilled']);
  });

  it('fail at once when the store is locked while they run again, one by one', async () => {
    await sql`pragma busy_timeout = 20`.execute(db);
    const other = await openSqlite(`sqlite:${path}`);
    // The first write runs again and is stored; then another process takes the store.
    onBegin = () => (transactions === 3 ? sql`begin immediate`.execute(other) : Promise.resolve());
    const [first, no, ...rest] = await Promise.allSettled([
      write(insert('first')),
      write(() => Promise.reject(new Error('no'))),
      write(insert('second')),
      write(insert('third')),
    ]);
    expect([first?.status, await accounts(db)]).toEqual(['fulfilled', ['first']]);
    expect(no).toMatchObject({ status: 'rejected', reason: { message: 'no' } });
    for (const end of rest) {
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'STORE_BUSY' } });
    }
    expect(transactions).toBe(3);
    await sql`rollback`.execute(other);
    await other.destroy();
  });

  it('leave the store to other processes after a quarter of a second, and go on after that', async () => {
    const slow = (account: string) => async (tx: Tx) => {
      nowMs += 200;
      return insert(account)(tx);
    };
    const names = ['a', 'b', 'c', 'd', 'e'];
    expect(await Promise.all(names.map((name) => write(slow(name))))).toEqual(names);
    expect([await accounts(db), transactions]).toEqual([names, 3]);
  });

  it('fail by their own error while the disk is full, and go on when it is not', async () => {
    const makeRoom = await fillDisk(db);
    const three = () => {
      const large = ['x', 'y'].map((letter) => write(insert(letter.repeat(9_999))));
      return Promise.allSettled([...large, write(() => Promise.reject(new Error('no')))]);
    };
    const [x, y, no] = await three();
    expect(x).toMatchObject({ status: 'rejected', reason: { code: 'STORE_FULL' } });
    expect(y).toMatchObject({ status: 'rejected', reason: { code: 'STORE_FULL' } });
    expect(no).toMatchObject({ status: 'rejected', reason: { message: 'no' } });
    expect(await accounts(db)).toEqual([]);
    await makeRoom();
    expect(statusesOf(await three())).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('see the rows of earlier writes', async () => {
    const count = (tx: Tx) => accounts(tx).then((all) => all.length);
    expect(await Promise.all([write(count), write(insert('x')), write(count)])).toEqual([
      0,
      'x',
      1,
    ]);
  });
});

describe('the scopes of a write', () => {
  const account: Scope = { account: 'a' };
  const batch: Scope = { batch: 'b' };
  const schedule: Scope = { schedule: 's' };

  it('come in one order', async () => {
    const done = () => Promise.resolve('done');
    expect(await decide([account, batch, schedule, 'store', 'chain'], done)).toBe('done');
    expect(await decide([batch, { batch: 'c' }, 'chain'], done)).toBe('done');
  });

  it.each([
    ['chain, batch', ['chain', batch]],
    ['batch, account', [batch, account]],
    ['store, schedule', ['store', schedule]],
  ] as const)('are refused as %s', async (names, scopes) => {
    await expect(decide(scopes, () => Promise.resolve())).rejects.toThrow(
      `scopes out of order: ${names}`,
    );
  });
});

/** Never called: it is here for the compiler. */
export function writesThatDoNotCompile(reader: Db, connection: Connection): void {
  // @ts-expect-error A reader has no insert.
  void reader.insertInto;
  // @ts-expect-error A reader has no update.
  void reader.updateTable;
  // @ts-expect-error A reader has no delete.
  void reader.deleteFrom;
  // @ts-expect-error A reader begins no transaction.
  void reader.transaction;
  // @ts-expect-error A reader runs no statement as text.
  void reader.executeQuery;
  // @ts-expect-error A connection is in no scope.
  void insert('a')(connection);
  // @ts-expect-error A transaction that `decide` did not begin is in no scope.
  void connection.transaction().execute((tx) => insert('a')(tx));
  // @ts-expect-error A reader is no transaction.
  void insert('a')(reader);
}
