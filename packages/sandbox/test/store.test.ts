import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseDecimal, ZERO } from '../src/core/decimal.ts';
import type { LedgerEntry } from '../src/core/ledger.ts';
import {
  closeDatabase,
  type Database,
  openDatabase,
  StoreUnusable,
  transaction,
} from '../src/store/database.ts';
import { createLedger } from '../src/store/ledger.ts';
import { ACCOUNT } from './support/client.ts';
import { onCleanup, temporaryFolder } from './support/start.ts';

async function openTemporary(): Promise<{ db: Database; path: string }> {
  const path = join(await temporaryFolder(), 'made', 'on', 'the', 'way', 'sandbox.db');
  return { path, db: keep(openDatabase(path)) };
}

function keep(db: Database): Database {
  onCleanup(async () => close(db));
  return db;
}

function close(db: Database): void {
  if (db.open) closeDatabase(db);
}

const pragma = (db: Database, name: string): unknown =>
  (db.prepare(`PRAGMA ${name}`).all()[0] as Record<string, unknown>)[name];

const topUp = (amount: string): LedgerEntry => ({
  atMs: 0,
  account: ACCOUNT,
  currency: 'BTC',
  kind: 'TOP_UP',
  amount: parseDecimal(amount) ?? ZERO,
  massPayoutId: null,
  withdrawalId: null,
});

describe('the store', () => {
  it('writes to disk before it reports success, at the first opening and at every other', async () => {
    const { db, path } = await openTemporary();
    expect([pragma(db, 'synchronous'), pragma(db, 'journal_mode')]).toEqual([2, 'wal']);
    close(db);
    const again = keep(openDatabase(path));
    expect([pragma(again, 'synchronous'), pragma(again, 'journal_mode')]).toEqual([2, 'wal']);
  });

  it('belongs to one sandbox at a time', async () => {
    const { db, path } = await openTemporary();
    expect(() => openDatabase(path)).toThrow(StoreUnusable);
    expect(() => openDatabase(path)).toThrow(`Another sandbox uses ${path}.`);
    close(db);
    expect(() => keep(openDatabase(path))).not.toThrow();
  });

  it('leaves one file behind when it is closed', async () => {
    const { db, path } = await openTemporary();
    close(db);
    await expect(stat(`${path}-wal`)).rejects.toThrow('ENOENT');
    expect((await readFile(path)).length).toBeGreaterThan(0);
  });

  it('refuses tables of another version', async () => {
    const { db, path } = await openTemporary();
    db.exec('PRAGMA user_version = 99');
    close(db);
    expect(() => openDatabase(path)).toThrow('tables of version 99');
  });

  it('does all of a transaction or nothing', async () => {
    const { db } = await openTemporary();
    const ledger = createLedger(db);
    const work = (): void => {
      ledger.post([topUp('1')]);
      throw new Error('half way');
    };
    expect(() => transaction(db, work)).toThrow('half way');
    expect(ledger.balanceOf(ACCOUNT, 'BTC')).toEqual(ZERO);
    expect(ledger.page({ afterN: 0, limit: 10 })).toEqual([]);
  });
});

describe('the ledger', () => {
  it.each(['UPDATE ledger SET amount = 0', 'DELETE FROM ledger'])('refuses %s', async (sql) => {
    const { db } = await openTemporary();
    createLedger(db).post([topUp('1')]);
    expect(() => db.exec(sql)).toThrow('append-only');
  });

  it('adds up amounts of any size exactly', async () => {
    const { db } = await openTemporary();
    const ledger = createLedger(db);
    const huge = `${'9'.repeat(40)}.${'9'.repeat(40)}`;
    ledger.post([topUp(huge), topUp(huge)]);
    ledger.post([topUp('1E-40'), topUp('1E-40')]);
    expect(ledger.balanceOf(ACCOUNT, 'BTC')).toEqual({ units: 2n * 10n ** 40n, scale: 0 });
    expect(ledger.sumOf(ACCOUNT, 'BTC')).toEqual({ units: 2n * 10n ** 40n, scale: 0 });
  });

  it('never lets a balance become negative', async () => {
    const { db } = await openTemporary();
    const ledger = createLedger(db);
    const post = (): void => ledger.post([topUp('1'), topUp('-1.000000001')]);
    expect(() => transaction(db, post)).toThrow('became negative');
    expect(ledger.page({ afterN: 0, limit: 10 })).toEqual([]);
  });

  it('opens an account once', async () => {
    const { db } = await openTemporary();
    const ledger = createLedger(db);
    const two = { units: 2n, scale: 0 };
    ledger.open(ACCOUNT, new Map([['BTC', two]]));
    ledger.open(ACCOUNT, new Map([['BTC', ZERO]]));
    ledger.open(ACCOUNT, new Map([['ETH', two]]));
    expect(ledger.balances()).toEqual([
      { account: ACCOUNT, currency: 'BTC', opening: two, amount: two },
    ]);
  });
});
