import type { Connection } from '../../../../src/store/database/db.ts';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import Database from 'libsql';
import type { BursarError } from '../../../../src/domain/errors/bursar-error.ts';
import { withTypedErrors } from '../../../../src/store/engine/sqlite/typed-errors.ts';
import { openSqlite, openSqliteReader } from '../../../../src/store/engine/sqlite/sqlite.ts';
import { buildUrl, runModule } from '../../../support/child.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const receive = (db: Connection) =>
  db
    .insertInto('spool')
    .values({
      received_at_ms: 1,
      body_sha256: 's',
      body: Buffer.from(''),
      state: 'WAITING',
      settled_at_ms: null,
    })
    .execute();

const RECEIVE_BY_ANOTHER = `insert into spool (received_at_ms, body_sha256, body, state)
  values (2, 's', x'', 'WAITING')`;

describe('the database', () => {
  it('writes every commit through to the disk, also when it is opened again', async () => {
    const url = `sqlite:${join(temporaryFolder(), 'a.db')}`;
    for (const _time of ['first', 'again']) {
      const db = await openSqlite(url);
      const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
      const mode = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db);
      const automatic = await sql`pragma wal_autocheckpoint`.execute(db);
      expect(automatic.rows).toEqual([{ wal_autocheckpoint: 0 }]);
      expect(rows[0]?.synchronous).toBe(2);
      expect(mode.rows[0]?.journal_mode).toBe('wal');
      await db.destroy();
    }
  });

  it('is read by a reader after each commit of others, which can write nothing', async () => {
    const url = `sqlite:${join(temporaryFolder(), 'a b#1?.db')}`;
    const db = await openSqlite(url);
    const reader = await openSqliteReader(url);
    await receive(db);
    expect(await reader.selectFrom('spool').select('received_at_ms').execute()).toHaveLength(1);
    await expect(receive(reader)).rejects.toThrow('attempt to write a readonly database');
    await receive(db);
    expect(await reader.selectFrom('spool').select('received_at_ms').execute()).toHaveLength(2);
    await reader.destroy();
    await db.destroy();
  });

  it('is not made by a reader', async () => {
    const folder = temporaryFolder();
    const opening = openSqliteReader(`sqlite:${join(folder, 'a.db')}`);
    await expect(opening).rejects.toThrow('cannot be used');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is made once when several processes start together', async () => {
    const url = `sqlite:${join(temporaryFolder(), 'a.db')}`;
    const code = `
      const { openSqlite } = await import('${buildUrl('src/store/engine/sqlite/sqlite.js')}');
      const db = await openSqlite(${JSON.stringify(url)});
      console.log((await db.selectFrom('batch').selectAll().execute()).length);`;
    const printed = await Promise.all([1, 2, 3].map(() => runModule(code)));
    expect(printed).toEqual(['0\n', '0\n', '0\n']);
  });

  it('lets a writer wait for another process instead of failing', async () => {
    const url = `sqlite:${join(temporaryFolder(), 'a.db')}`;
    const code = `
      const { openSqlite } = await import('${buildUrl('src/store/engine/sqlite/sqlite.js')}');
      const db = await openSqlite(${JSON.stringify(url)});
      for (let i = 0; i < 200; i += 1) {
        await db.transaction().execute(async (tx) => {
          await tx.selectFrom('spool').select('seq').execute();
          await tx.insertInto('spool').values({ received_at_ms: i, body_sha256: 's',
            body: Buffer.from(''), state: 'WAITING', settled_at_ms: null }).execute();
        });
      }`;
    await Promise.all([1, 2, 3].map(() => runModule(code)));
    const db = await openSqlite(url);
    expect(await db.selectFrom('spool').select('seq').execute()).toHaveLength(600);
    await db.destroy();
  });

  it.each([
    ['a write', (db: Connection) => receive(db)],
    ['a transaction', (db: Connection) => db.transaction().execute((tx) => receive(tx))],
  ])(
    'sees the writes of others, and writes, after %s met a locked database',
    async (_what, write) => {
      const path = join(temporaryFolder(), 'a.db');
      const db = await openSqlite(`sqlite:${path}`);
      const count = async (): Promise<number> =>
        (await db.selectFrom('spool').select('seq').execute()).length;
      await receive(db);
      const keeper = new Database(path);
      for (const seen of [1, 3, 5]) {
        await sql`pragma busy_timeout = 1`.execute(db);
        keeper.exec('begin immediate');
        await expect(write(db)).rejects.toMatchObject({ code: 'STORE_BUSY' });
        expect(await count()).toBe(seen);
        keeper.exec(`${RECEIVE_BY_ANOTHER}; commit`);
        expect(await count()).toBe(seen + 1);
        await write(db);
        expect(await count()).toBe(seen + 2);
      }
      keeper.close();
      await db.destroy();
    },
  );

  it.each(['postgres://ann:hush@db/x', 'sqlite://ann:hush@db/x', 'store.db', 'sqlite:'])(
    'refuses %s, makes nothing, and repeats no password',
    async (url) => {
      const before = readdirSync('.');
      const refused = await openSqlite(url).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'ADDRESS_UNSERVED' });
      expect(JSON.stringify((refused as BursarError).note)).not.toContain('hush');
      expect(String(refused)).not.toContain('hush');
      expect(readdirSync('.')).toEqual(before);
    },
  );

  it('names the problem when the file is no database', async () => {
    const path = join(temporaryFolder(), 'a.db');
    writeFileSync(
      path,
      'this is a text file and not a database, whatever its name says'.repeat(50),
    );
    await expect(openSqlite(`sqlite:${path}`)).rejects.toMatchObject({ code: 'STORE_UNUSABLE' });
  });
});

// It waits as long as every statement does.
it('a file that another program keeps, such as a restore, is busy and not unusable', async () => {
  const path = join(temporaryFolder(), 'a.db');
  const keeper = new Database(path);
  keeper.exec('begin exclusive');
  await expect(openSqlite(`sqlite:${path}`)).rejects.toMatchObject({ code: 'STORE_BUSY' });
  keeper.exec('rollback');
  const db = await openSqlite(`sqlite:${path}`);
  await db.destroy();
  keeper.close();
}, 30_000);

it('a file that others open at this moment is busy', () => {
  const refusing = {
    prepare: () => {
      throw Object.assign(new Error('locking protocol'), { code: 'SQLITE_PROTOCOL' });
    },
    close: () => undefined,
  };
  expect(() => withTypedErrors(refusing, 'sqlite:a.db').prepare('select 1')).toThrow(
    expect.objectContaining({ code: 'STORE_BUSY' }),
  );
});
