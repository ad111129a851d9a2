/** The tables of `operator-schema.ts`. Released: never edited. */
export const OPERATOR_TABLES: readonly string[] = [
  'alter table batch add column rules_json text',
  'alter table batch add column released_at_ms bigint',
  // What had begun to pay was allowed to.
  `update batch set released_at_ms = submitted_at_ms where exists (
    select 1 from chunk where chunk.batch_id = batch.batch_id and chunk.state <> 'PLANNED')`,
  'alter table batch add column canceled_json text',
  'alter table batch add column report_version integer not null default 0',
  'alter table batch add column row_set text',
  'create index batch_by_row_set on batch (account, row_set)',
  'create unique index batch_by_parent on batch (parent_batch_id) where parent_batch_id is not null',
  `create table row_print (
    ingest_id text not null, chunk integer not null, currency text not null, prints blob not null,
    primary key (ingest_id, chunk))`,
  `create table own_wallet (
    account text not null, address text not null, seen_at_ms bigint not null,
    primary key (account, address))`,
  `create table approval (
    batch_id text not null, subject text not null, person text not null, issued_at text not null,
    decision text not null, approval_json text not null, at_ms bigint not null,
    primary key (batch_id, subject, person, issued_at, decision))`,
  `create table hold (
    batch_id text not null, n integer not null, kind text not null, reason text not null,
    held_by text not null, since_ms bigint not null, facts_json text not null,
    released_at_ms bigint, released_by text, release_reason text, primary key (batch_id, n))`,
  `create table claim (
    seq integer primary key autoincrement, batch_id text not null unique, account text not null,
    due_at_ms bigint, asked_at_ms bigint, waiting_since_ms bigint, granted_at_ms bigint,
    freed_at_ms bigint)`,
  'create index claim_open on claim (account, seq) where freed_at_ms is null',
  'create index claim_by_grant on claim (account, granted_at_ms)',
  `insert into claim (batch_id, account, asked_at_ms, granted_at_ms)
    select distinct batch_id, reservation.account, submitted_at_ms, submitted_at_ms
    from reservation join batch using (batch_id) order by submitted_at_ms`,
  'drop table reservation',
  `create table schedule (
    schedule_id text primary key, definition_json text not null, created_by text not null,
    created_at_ms bigint not null, paused_at_ms bigint, note text not null,
    watched_until_ms bigint not null, deleted_at_ms bigint)`,
  `create table schedule_run (
    schedule_id text not null, nominal text not null, due_at_ms bigint not null, state text not null,
    claimed_by text, batch_id text, file_name text, file_sha256 text, detail text not null,
    changed_at_ms bigint not null, primary key (schedule_id, nominal))`,
  `create table notification (
    id text primary key, event text not null, batch_id text, payload_json text not null,
    created_at_ms bigint not null)`,
  `create table delivery (
    notification_id text not null, target text not null, state text not null,
    attempts integer not null, next_at_ms bigint not null, last_error text,
    primary key (notification_id, target))`,
  "create index delivery_waiting on delivery (next_at_ms) where state = 'WAITING'",
  `create table audit (
    seq integer primary key autoincrement, at_ms bigint not null, batch_id text, actor text not null,
    action text not null, detail_json text not null, previous_hash text not null,
    hash text not null)`,
  'create index audit_by_batch on audit (batch_id, seq)',
  `create table row_transaction (
    batch_id text not null, row integer not null, transaction_id text not null,
    transaction_hash text, amount text not null, fee text, fee_currency text, at_ms bigint,
    equal_rows integer not null, primary key (batch_id, row, transaction_id))`,
  `create table subscription (
    account text not null, subscription_id text not null, url text not null,
    ours integer not null, enabled integer not null, blocked integer not null,
    error_count integer not null, seen_at_ms bigint not null,
    primary key (account, subscription_id))`,
  `create table watch (
    subject text primary key, condition text not null, since_ms bigint not null,
    seen_at_ms bigint not null, detail text not null)`,
  // The changes that a webhook must have reported, by their time.
  "create index attempt_accepted on attempt (ended_ms) where outcome = 'ACCEPTED'",
  'create index chunk_by_state_since on chunk (state_since_ms) where state_since_ms is not null',
  'alter table chunk add column barred_json text',
  `create table late_change (
    seq integer primary key autoincrement, batch_id text not null, chunk integer, at_ms bigint not null,
    detail_json text not null, version integer)`,
  'create index late_change_by_batch on late_change (batch_id, seq)',
  `create table report_version (
    batch_id text not null, version integer not null, at_ms bigint not null, state text not null,
    primary key (batch_id, version))`,
  'create table lease (name text primary key, holder text not null, until_ms bigint not null)',
];
