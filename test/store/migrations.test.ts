import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AUTHORITY_COLUMNS } from '../../src/store/authority-columns.ts';
import { FENCE_EVIDENCE } from '../../src/store/migrations.ts';
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

/** How each migration is taken back, the newest first. */
const UNDO: readonly (readonly [name: string, (db: Db) => Promise<void>])[] = [
  ['011', (db) => execute(db, ['drop table balance_check'])],
  [
    '010',
    (db) =>
      execute(db, [
        'drop table lookup_operation',
        'drop table lookup_disproof',
        'alter table chunk drop column other_payouts_json',
      ]),
  ],
  ['009', (db) => execute(db, ['drop table store_identity'])],
  ['008', (db) => undo(db, FENCE_EVIDENCE)],
  ['007', (db) => undo(db, AUTHORITY_COLUMNS)],
  [
    '004',
    async (db) => {
      await undo(db, OPERATOR_TABLES);
      await execute(db, [RESERVATIONS]);
    },
  ],
  [
    '003',
    (db) =>
      execute(
        db,
        NEW_COLUMNS.map((column) => `alter table chunk drop column ${column}`),
      ),
  ],
];

async function execute(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Makes the store in a folder what it was before a migration; `more` is executed there. */
async function asBefore(folder: string, name: string, more: readonly string[] = []): Promise<void> {
  const older = await openSqlite(`sqlite:${join(folder, 'store.db')}`);
  for (const [each, takeBack] of UNDO) if (each >= name) await takeBack(older);
  await execute(older, [...more, `delete from kysely_migration where name >= '${name}'`]);
  await older.destroy();
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

  await asBefore(folder, '003');

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

  await asBefore(folder, '004', [
    `insert into reservation values ('b', 'a1', 'TRX', '0.5'), ('b', 'a1', 'BTC', '0')`,
  ]);

  const again = await openTestStore(folder);
  expect((await again.funds.look('a1')).claims).toMatchObject([
    { batchId: 'b', grantedAtMs: 1_800_000_000_000, open: [{ chunk: 0 }] },
  ]);
  await again.close();
});

it('of a store from before operations were kept, a proof stays one by its operation', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  await store.proofs.save('a1', 'u', { operation: 'LOOKUP', lagMs: 7, provenAtMs: 9 });
  await store.close();
  await asBefore(folder, '010');

  const again = await openTestStore(folder);
  expect(await again.proofs.trust('a1', 'u')).toEqual({
    ...{ proof: { operation: 'LOOKUP', lagMs: 7, provenAtMs: 9 }, disproof: undefined },
    ...{ answering: ['LOOKUP'], finding: ['LOOKUP'] },
  });
  await again.close();
});
