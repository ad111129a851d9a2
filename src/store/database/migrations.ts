import { type Kysely, type Migration, type MigrationProvider, sql } from 'kysely';
import { AUTHORITY_COLUMNS } from './authority-columns.ts';
import { makeIdentity } from '../restore/identity.ts';
import { OPERATOR_TABLES } from './operator-tables.ts';
import { NAMES_OF_FIELD } from './names-of-field.ts';
import { RESTORE_TABLES } from './restore-tables.ts';
import { RETENTION_COLUMNS } from './retention-columns.ts';
import type { Words } from '../engine/words.ts';

type Run = (db: Kysely<unknown>, statements: readonly string[]) => Promise<void>;

/** Every change of the tables, in order. A migration that was ever released is never edited. */
const migrations = (run: Run): Readonly<Record<string, Migration>> => ({
  '001-first': { up: (db) => run(db, FIRST_TABLES) },
  '002-withdrawal-looks': { up: (db) => run(db, WITHDRAWAL_LOOKS) },
  '003-ends-that-change': { up: (db) => run(db, ENDS_THAT_CHANGE) },
  '004-operator': { up: (db) => run(db, OPERATOR_TABLES) },
  '005-rejected-runs': { up: (db) => run(db, REJECTED_RUNS) },
  '006-facts-of-entries': { up: (db) => run(db, FACTS_OF_ENTRIES) },
  '007-authority': { up: (db) => run(db, AUTHORITY_COLUMNS) },
  '008-fence-evidence': { up: (db) => run(db, FENCE_EVIDENCE) },
  '009-store-identity': { up: (db) => makeIdentity(db) },
  '010-lookups': { up: (db) => run(db, LOOKUPS) },
  '011-conservation': { up: (db) => run(db, BALANCE_CHECKS) },
  '012-early-cancels': { up: (db) => run(db, EARLY_CANCELS) },
  '013-failed-looks': { up: (db) => run(db, FAILED_LOOKS) },
  '014-restores': { up: (db) => run(db, RESTORE_TABLES) },
  '015-names': { up: (db) => run(db, NAMES_OF_FIELD) },
  '016-partitions': { up: (db) => run(db, PARTITION_SIZE) },
  '017-headroom': { up: (db) => run(db, HEADROOM) },
  '018-chains': { up: (db) => run(db, CHAINS) },
  '019-unsent': { up: (db) => run(db, UNSENT) },
  '020-lookup-numbers': { up: (db) => run(db, LOOKUP_NUMBERS) },
  '021-retention-expand': { up: (db) => run(db, RETENTION_COLUMNS) },
  '022-pace-expand': { up: (db) => run(db, PACE_OF_HOSTS) },
  '023-payees-expand': { up: (db) => run(db, PAYEES) },
  '024-payee-notices-expand': { up: (db) => run(db, PAYEE_NOTICES) },
  '025-identities-expand': { up: (db) => run(db, IDENTITIES) },
});

export const migrationProvider = ({ migration }: Words): MigrationProvider => ({
  getMigrations: async () => ({
    ...migrations(async (db, statements) => {
      for (const statement of statements) {
        const text = migration(statement);
        if (text !== undefined) await sql.raw(text).execute(db);
      }
    }),
  }),
});

/** The first attempt after this migration counts what is under way and lost. */
const HEADROOM: readonly string[] = [
  `create table headroom (
    batch_id text not null, currency text not null, batch_rows integer not null,
    under_way_rows integer not null, under_way_amount text not null, lost_rows integer not null,
    lost_amount text not null, primary key (batch_id, currency))`,
];

/** Entries without a number are those of the first chain. The first entry after this migration closes it. */
const CHAINS: readonly string[] = ['alter table audit add column n integer'];

/** Lookups of earlier versions were numbered by their place in the table. */
const LOOKUP_NUMBERS: readonly string[] = [
  'alter table lookup add column n integer',
  `update lookup set n = (select count(*) from lookup as other
    where other.idempotency_key = lookup.idempotency_key and other.rowid <= lookup.rowid)`,
];

/** Attempts of earlier versions are on no unsent list. */
const UNSENT: readonly string[] = ['alter table attempt add column unsent_id text'];

/** The limits of an account that hold over all hosts. */
export const PACE_OF_HOSTS: readonly string[] = [
  'alter table pace add column retry_at_ms double precision',
  `create table create_lease (
    lease_id text primary key, account text not null, until_ms double precision not null)`,
  'create index create_lease_by_account on create_lease (account)',
];

/** The register of payees. It is empty in a store of an earlier version. */
const PAYEES: readonly string[] = [
  `create table payee (
    account text not null, network text not null, address text not null, written text not null,
    name text not null, labels text not null, added_at_ms bigint not null, added_by text not null,
    decision text, decided_by text, decided_at_ms bigint, reason text,
    primary key (account, network, address))`,
  'create index payee_by_address on payee (account, address)',
];

/** Rows that were paid before have no notice: `notices.since` decides which batches have them. */
export const PAYEE_NOTICES: readonly string[] = [
  "alter table payee add column email text not null default ''",
  `create table payee_notice (
    batch_id text not null, row integer not null, chunk integer not null, state text not null,
    attempts integer not null, created_at_ms bigint not null, next_at_ms bigint not null,
    tried_at_ms bigint, error text, primary key (batch_id, row))`,
  "create index payee_notice_waiting on payee_notice (next_at_ms) where state = 'WAITING'",
  "create index payee_notice_sending on payee_notice (tried_at_ms) where state = 'SENDING'",
  'create index payee_notice_by_try on payee_notice (tried_at_ms)',
  `create table payee_notice_chunk (
    batch_id text not null, chunk integer not null, reopened integer not null,
    fingerprint text not null, primary key (batch_id, chunk, reopened, fingerprint))`,
];

/** Rows of earlier versions keep null: their identities are read from the rows themselves. */
export const IDENTITIES: readonly string[] = [
  'alter table row_fingerprint add column identities blob',
];

/** Cancels of batches that no worker has written down yet. */
const EARLY_CANCELS: readonly string[] = [
  'create table early_cancel (batch_id text primary key, canceled_json text not null)',
];

const PARTITION_SIZE: readonly string[] = ['alter table batch add column partition_chunks integer'];

/** Lookups that failed before are counted from zero again. */
const FAILED_LOOKS: readonly string[] = [
  'alter table withdrawal_look add column failures integer not null default 0',
];

const FIRST_TABLES: readonly string[] = [
  `create table batch (
    batch_id text primary key, code text not null unique,
    account_ref text not null, account text not null,
    file_name text not null, file_sha256 text not null,
    submitted_by text not null, submitted_at_ms bigint not null, options_json text not null,
    generation integer not null, parent_batch_id text,
    ingest_id text, summary_json text, content_sha256 text, digest text, findings_json text,
    fees_json text, end_state text, ended_at_ms bigint, error_json text)`,
  'create index batch_by_content on batch (account, content_sha256)',
  `create table staged_chunk (
    ingest_id text not null, chunk integer not null, currency text not null,
    row_count integer not null, total text not null, first_row integer not null,
    last_row integer not null, rows_sha256 text not null, rows text not null,
    primary key (ingest_id, chunk))`,
  `create table refused_row (
    ingest_id text not null, seq integer not null, row integer not null, column_name text not null,
    code text not null, facts_json text not null, value text not null, amount text, currency text,
    primary key (ingest_id, seq))`,
  `create table chunk (
    batch_id text not null, chunk integer not null, currency text not null,
    row_count integer not null, total text not null, first_row integer not null,
    last_row integer not null, idempotency_key text not null unique, external_id text not null,
    state text not null, attention_reason text, attention_since_ms bigint, answer_json text,
    mass_payout_id text, differences_json text, mass_state text, fee text,
    rest_outcome text not null, rest_reason text not null, final integer not null,
    unclear_since_ms bigint, primary key (batch_id, chunk))`,
  'create index chunk_by_mass_payout on chunk (mass_payout_id)',
  `create table intent (
    idempotency_key text primary key, payload text not null, payload_sha256 text not null,
    created_at_ms bigint not null)`,
  `create table attempt (
    idempotency_key text not null, n integer not null, timestamp_ms bigint not null,
    body_sha256 text not null, outcome text not null, ended_ms bigint, http_status integer,
    error_code text, trace_id text, retry_after_ms bigint, primary key (idempotency_key, n))`,
  `create table lookup (
    idempotency_key text not null, at_ms bigint not null, attempts integer not null,
    result text not null, server_date_ms bigint)`,
  'create index lookup_by_key on lookup (idempotency_key, at_ms)',
  `create table row_verdict (
    batch_id text not null, row integer not null, chunk integer not null, outcome text not null,
    reason text not null, amount text not null, withdrawal_id text, transaction_hash text, fee text,
    fee_currency text, primary key (batch_id, row))`,
  'create index row_verdict_by_chunk on row_verdict (batch_id, chunk)',
  `create table lookup_proof (
    account text not null, base_url text not null, operation text not null, lag_ms bigint not null,
    proven_at_ms bigint not null, primary key (account, base_url))`,
  `create table reservation (
    batch_id text not null, account text not null, currency text not null, fee text not null,
    primary key (batch_id, currency))`,
  `create table spool (
    seq integer primary key autoincrement, received_at_ms bigint not null, body_sha256 text not null,
    body blob not null, state text not null, settled_at_ms bigint)`,
  'create table pace (account text primary key, slot_ms double precision not null)',
  "create index spool_waiting on spool (seq) where state = 'WAITING'",
];

const WITHDRAWAL_LOOKS: readonly string[] = [
  `create table withdrawal_look (
    batch_id text not null, chunk integer not null, withdrawal_id text not null,
    look_json text not null, said text not null, at_ms bigint not null,
    primary key (batch_id, chunk, withdrawal_id))`,
];

const REJECTED_RUNS: readonly string[] = [
  'alter table schedule_run add column rejected integer not null default 0',
];

const BALANCE_CHECKS: readonly string[] = [
  'create table balance_check (batch_id text primary key, opening_json text not null, check_json text)',
];

const FACTS_OF_ENTRIES: readonly string[] = ['alter table audit add column facts_json text'];

const LOOKUPS: readonly string[] = [
  'alter table chunk add column other_payouts_json text',
  `create table lookup_operation (
    account text not null, base_url text not null, operation text not null,
    answered_at_ms bigint not null, found_at_ms bigint, primary key (account, base_url, operation))`,
  `insert into lookup_operation
    select account, base_url, operation, proven_at_ms, proven_at_ms from lookup_proof`,
  `create table lookup_disproof (
    account text not null, base_url text not null, batch_id text not null, chunk integer not null,
    reason text not null, at_ms bigint not null,
    primary key (account, base_url, batch_id, chunk, reason))`,
];

/** Rows of earlier versions have no clock reading. Their time is counted from the first lookup with one. */
export const FENCE_EVIDENCE: readonly string[] = [
  'alter table attempt add column clock_id text',
  'alter table attempt add column clock_ms bigint',
  'alter table lookup add column clock_id text',
  'alter table lookup add column clock_ms bigint',
  'alter table lookup add column elapsed_ms bigint',
];

/** Ends of earlier versions have no fingerprint, so they are settled again. */
const ENDS_THAT_CHANGE: readonly string[] = [
  'alter table chunk add column said text',
  'alter table chunk add column reopened integer not null default 0',
  'alter table chunk add column open_since_ms bigint',
  'alter table chunk add column state_since_ms bigint',
  'alter table chunk add column unread_since_ms bigint',
  `update chunk set said = ''
    where final = 1 and state = 'CREATED' and mass_state in ('PARTIAL', 'FAILED', 'COMPLETED')
    and (rest_outcome <> 'PAID' or exists (select 1 from row_verdict
      where row_verdict.batch_id = chunk.batch_id and row_verdict.chunk = chunk.chunk
      and row_verdict.outcome <> 'PAID'))`,
];
