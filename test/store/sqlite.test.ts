import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from '../../src/store/sqlite.ts';
import { buildUrl, runModule } from '../support/child.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the database', () => {
  it('writes every commit through to the disk, also when it is opened again', async () => {
    const url = `sqlite:${join(temporaryFolder(), 'a.db')}`;
    for (const _time of ['first', 'again']) {
      const db = await openSqlite(url);
      const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
      const mode = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db);
      expect(rows[0]?.synchronous).toBe(2);
      expect(mode.rows[0]?.journal_mode).toBe('wal');
      await db.destroy();
    }
  });

  it('is made once when several processes start together', async () => {
    const url = `sqlite:${join(temporaryFolder(), 'a.db')}`;
    const code = `
      const { openSqlite } = await import('${buildUrl('src/store/sqlite.js')}');
      const db = await openSqlite(${JSON.stringify(url)});
      console.log((await db.selectFrom('batch').selectAll().execute()).length);`;
    const printed = await Promise.all([1, 2, 3].map(() => runModule(code)));
    expect(printed).toEqual(['0\n', '0\n', '0\n']);
  });

  it('lets a writer wait for another process instead of failing', async () => {
    const url = `sqlite:${join(temporaryFolder(), 'a.db')}`;
    const code = `
      const { openSqlite } = await import('${buildUrl('src/store/sqlite.js')}');
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

  it('says what is wrong when the file is no database', async () => {
    const path = join(temporaryFolder(), 'a.db');
    writeFileSync(
      path,
      'this is a text file and not a database, whatever its name says'.repeat(50),
    );
    await expect(openSqlite(`sqlite:${path}`)).rejects.toMatchObject({ code: 'STORE_UNUSABLE' });
  });
});
