/** Version of the tables below, kept in `user_version`; a file of another version is refused. */
export const SCHEMA_VERSION = 1;

/**
 * Amounts are decimal text. Times are milliseconds since 1970. A null `due_ms` means that nothing
 * is due.
 */
export const SCHEMA = `
CREATE TABLE balance (
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  opening TEXT NOT NULL,
  amount TEXT NOT NULL,
  PRIMARY KEY (account, currency)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
  n INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount TEXT NOT NULL,
  mass_payout_id TEXT,
  withdrawal_id TEXT
) STRICT;
CREATE TRIGGER ledger_keeps_entries BEFORE DELETE ON ledger
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_keeps_amounts BEFORE UPDATE ON ledger
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE mass_payout (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  payload_sha256 TEXT NOT NULL,
  state TEXT NOT NULL,
  due_ms INTEGER,
  created_ms INTEGER NOT NULL,
  currency TEXT NOT NULL,
  name TEXT,
  comment TEXT,
  external_id TEXT,
  execution_date TEXT,
  withdrawals_count INTEGER NOT NULL,
  total_amount TEXT NOT NULL,
  total_fee TEXT NOT NULL,
  fee_percent TEXT NOT NULL,
  fee_fix TEXT NOT NULL
) STRICT;
CREATE INDEX mass_payout_by_key ON mass_payout (idempotency_key, account);
CREATE INDEX mass_payout_due ON mass_payout (due_ms) WHERE due_ms IS NOT NULL;

CREATE TABLE withdrawal (
  mass_payout INTEGER NOT NULL REFERENCES mass_payout (n),
  position INTEGER NOT NULL,
  address TEXT NOT NULL,
  amount TEXT NOT NULL,
  comment TEXT,
  fate TEXT,
  PRIMARY KEY (mass_payout, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX withdrawal_fated ON withdrawal (mass_payout, position) WHERE fate IS NOT NULL;

CREATE TABLE withdrawal_error (
  id INTEGER PRIMARY KEY,
  mass_payout INTEGER NOT NULL REFERENCES mass_payout (n),
  position INTEGER NOT NULL,
  message TEXT NOT NULL,
  resolved INTEGER NOT NULL
) STRICT;
CREATE INDEX withdrawal_error_of ON withdrawal_error (mass_payout, position);

CREATE TABLE subscription (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  public_key TEXT NOT NULL,
  secret_key TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  health TEXT NOT NULL
) STRICT;

CREATE TABLE delivery (
  id INTEGER PRIMARY KEY,
  subscription TEXT NOT NULL REFERENCES subscription (id),
  body TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  due_ms INTEGER,
  status TEXT NOT NULL
) STRICT;
CREATE INDEX delivery_due ON delivery (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX delivery_open ON delivery (subscription) WHERE status = 'WAITING';

CREATE TABLE request (
  n INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  operation TEXT NOT NULL,
  status INTEGER,
  error_code TEXT,
  idempotency_key TEXT,
  timestamp_ms INTEGER,
  body_sha256 TEXT NOT NULL,
  fault TEXT
) STRICT;

CREATE TABLE fault (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  rule TEXT NOT NULL,
  drawn INTEGER NOT NULL,
  fired INTEGER NOT NULL
) STRICT;

PRAGMA user_version = ${SCHEMA_VERSION};
`;
