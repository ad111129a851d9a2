import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { OPERATOR_TABLES } from '../../src/store/operator-tables.ts';
import { type Db, openSqlite } from '../../src/store/sqlite.ts';
import { openTestStore, planBatch } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Columns that a store had not yet before ends were read again. */
const NEW_COLUMNS = ['said', 'reopened', 'open_since_ms', 'state_since_ms', 'unread_since_ms'];

/** What claims were before. */
const RESERVATIONS = `create table reservation (
  batch_id text not null, account text not null, currency text not null, fee text not null,
  primary key (batch_id, currency))`;

const end = (massPayoutState: string, outcome: 'PAID' | 'FAILED' | 'NOT_SENT') => ({
  massPayoutState,
  final: true,
  rest: { outcome, reason: '' },
  rows: [],
  fee: null,
  unclearSinceMs: null,
  keepsLooks: false,
  said: null,
  reopened: 0,
});

/** Takes back what the statements of a migration made. */
async function undo(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements.toReversed()) {
    const [, kind, name] = /^create (?:unique )?(table|index) (\w+)/.exec(statement) ?? [];
    // Rows that were copied, and a table that is gone, come back below.
    if (!/^(?:create|alter) /.test(statement)) continue;
    const [, table, column] = /^alter table (\w+) add column (\w+)/.exec(statement) ?? [];
    if (name === undefined && table === undefined) continue;
    const undone =
      name === undefined
        ? `alter table ${table} drop column ${column}`
        : `drop ${kind} if exists ${name}`;
    await sql.raw(undone).execute(db);
  }
}

it('of a store from before ends were read again, those that can change are judged once more', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  const ends = [end('COMPLETED', 'PAID'), end('FAILED', 'FAILED'), end('CANCELED', 'NOT_SENT')];
  await planBatch(store, 'b', ends.length);
  for (const [chunk, verdict] of ends.entries()) {
    const { idempotencyKey } = await store.chunks.get('b', chunk);
    const payout = { id: `mp-${chunk}`, state: 'CONFIRMED', fee: null, differences: [] };
    await store.sends.setPayout({ batchId: 'b', chunk, idempotencyKey }, payout);
    await store.settlements.save({ batchId: 'b', chunk }, verdict);
  }
  await store.close();

  const older = await openSqlite(`sqlite:${join(folder, 'store.db')}`);
  await undo(older, OPERATOR_TABLES);
  await sql.raw('drop table store_identity').execute(older);
  await sql.raw(RESERVATIONS).execute(older);
  for (const column of NEW_COLUMNS) {
    await sql.raw(`alter table chunk drop column ${column}`).execute(older);
  }
  await sql.raw("delete from kysely_migration where name >= '003'").execute(older);
  await older.destroy();

  const again = await openTestStore(folder);
  const said = (await again.chunks.list('b')).map((chunk) => chunk.said);
  expect(said).toEqual([null, '', null]);
  await again.close();
});

it('of a store from before there were claims, batches that pay keep what was reserved for them', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  await planBatch(store, 'b', 1);
  await store.close();

  const older = await openSqlite(`sqlite:${join(folder, 'store.db')}`);
  await undo(older, OPERATOR_TABLES);
  await sql.raw('drop table store_identity').execute(older);
  await sql.raw(RESERVATIONS).execute(older);
  await sql
    .raw(`insert into reservation values ('b', 'a1', 'TRX', '0.5'), ('b', 'a1', 'BTC', '0')`)
    .execute(older);
  await sql.raw("delete from kysely_migration where name >= '004'").execute(older);
  await older.destroy();

  const again = await openTestStore(folder);
  expect((await again.funds.look('a1')).claims).toMatchObject([
    { batchId: 'b', grantedAtMs: 1_800_000_000_000, open: [{ chunk: 0 }] },
  ]);
  await again.close();
});
