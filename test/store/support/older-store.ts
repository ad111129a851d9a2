import { CHAIN_START, chained, type ChainHead } from '../../../src/domain/audit/chain.ts';
import { sha256 } from '../../../src/store/audit/facts.ts';
import type { Connection } from '../../../src/store/database/db.ts';
import { join } from 'node:path';
import { sql } from 'kysely';
import { AUTHORITY_COLUMNS } from '../../../src/store/database/authority-columns.ts';
import {
  FENCE_EVIDENCE,
  IDENTITIES,
  PACE_OF_HOSTS,
  PAYEE_NOTICES,
} from '../../../src/store/database/migrations.ts';
import { RESTORE_TABLES } from '../../../src/store/database/restore-tables.ts';
import { RETENTION_COLUMNS } from '../../../src/store/database/retention-columns.ts';
import { NAMES_OF_FIELD } from '../../../src/store/database/names-of-field.ts';
import { OPERATOR_TABLES } from '../../../src/store/database/operator-tables.ts';
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.ts';

/** Columns that a store had not yet before ends were read again. */
const NEW_COLUMNS = ['said', 'reopened', 'open_since_ms', 'state_since_ms', 'unread_since_ms'];

/** What claims were before. */
const RESERVATIONS = `create table reservation (
  batch_id text not null, account text not null, currency text not null, fee text not null,
  primary key (batch_id, currency))`;

/** Takes back what the statements of a migration made. */
async function undo(db: Connection, statements: readonly string[]): Promise<void> {
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

/** The statement that gives a table or a column its former name. */
function renamedBack(statement: string): string {
  const column = /^alter table (\w+) rename column (\w+) to (\w+)$/.exec(statement);
  if (column !== null) return `alter table ${column[1]} rename column ${column[3]} to ${column[2]}`;
  const table = /^alter table (\w+) rename to (\w+)$/.exec(statement);
  if (table !== null) return `alter table ${table[2]} rename to ${table[1]}`;
  return 'create table lease (name text primary key, holder text not null, until_ms bigint not null)';
}

/** How each migration is taken back, the newest first. */
const UNDO: readonly (readonly [name: string, (db: Connection) => Promise<void>])[] = [
  ['025', (db) => undo(db, IDENTITIES)],
  ['024', (db) => undo(db, PAYEE_NOTICES)],
  ['023', (db) => execute(db, ['drop table payee'])],
  ['022', (db) => undo(db, PACE_OF_HOSTS)],
  ['021', (db) => undo(db, RETENTION_COLUMNS)],
  ['020', (db) => execute(db, ['alter table lookup drop column n'])],
  ['019', (db) => execute(db, ['alter table attempt drop column unsent_id'])],
  ['018', (db) => execute(db, ['alter table audit drop column n'])],
  ['017', (db) => execute(db, ['drop table headroom'])],
  ['016', (db) => execute(db, ['alter table batch drop column partition_chunks'])],
  ['015', (db) => execute(db, NAMES_OF_FIELD.toReversed().map(renamedBack))],
  ['014', (db) => undo(db, RESTORE_TABLES)],
  ['013', (db) => execute(db, ['alter table withdrawal_look drop column failures'])],
  ['012', (db) => execute(db, ['drop table early_cancel'])],
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

async function execute(db: Connection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * Makes the log of the store in a folder the one chain of all batches that it was before there were chains of batches,
 * and returns its end.
 */
export async function asFirstChain(folder: string): Promise<ChainHead> {
  const db = await openSqlite(`sqlite:${join(folder, 'store.db')}`);
  const rows = await db.selectFrom('audit').selectAll().where('action', '<>', 'head').execute();
  await db.deleteFrom('audit').execute();
  let end = CHAIN_START;
  for (const row of rows) {
    const texts = { detailJson: row.detail_json, factsJson: row.facts_json };
    const { at_ms: atMs, batch_id: batchId, actor, action } = row;
    const place = { seq: end.seq + 1, n: null, previousHash: end.hash };
    const entry = chained(place, { atMs, batchId, actor, action, detail: {} }, { sha256, texts });
    end = { seq: entry.seq, hash: entry.hash };
    const { seq, n, previousHash: previous_hash, hash } = entry;
    await db
      .insertInto('audit')
      .values({ ...row, seq, n, previous_hash, hash })
      .execute();
  }
  await db.destroy();
  await asBefore(folder, '018');
  return end;
}

/** Makes the store in a folder what it was before a migration; `more` is executed there. */
export async function asBefore(
  folder: string,
  name: string,
  more: readonly string[] = [],
): Promise<void> {
  const older = await openSqlite(`sqlite:${join(folder, 'store.db')}`);
  for (const [each, takeBack] of UNDO) if (each >= name) await takeBack(older);
  await execute(older, [...more, `delete from kysely_migration where name >= '${name}'`]);
  await older.destroy();
}
