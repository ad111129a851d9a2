import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { OPERATOR_TABLES } from '../../src/store/operator-tables.ts';
import { type Db, openSqlite } from '../../src/store/sqlite.ts';
import { openTestStore, planBatch } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Columns that a store had not yet before ends were read again. */
const NEW_COLUMNS = ['said', 'reopened', 'open_since_ms', 'state_since_ms', 'unread_since_ms'];

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
