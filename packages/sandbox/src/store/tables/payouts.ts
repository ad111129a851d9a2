/**
 * Mass payouts, their withdrawals and the errors of those. A null `due_ms`: no step is due.
 * `movement` of an error is the movement that paid the withdrawal later.
 */
export const PAYOUT_TABLES = `
CREATE TABLE mass_payout (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  payload_sha256 TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  state TEXT NOT NULL,
  due_ms INTEGER,
  ended_ms INTEGER,
  confirmations INTEGER NOT NULL,
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
  fee_fix TEXT NOT NULL,
  fee_min TEXT NOT NULL
) STRICT;
CREATE INDEX mass_payout_by_key ON mass_payout (idempotency_key, account);
CREATE INDEX mass_payout_by_account ON mass_payout (account);
CREATE INDEX mass_payout_by_state ON mass_payout (state);
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
  resent INTEGER NOT NULL,
  movement INTEGER REFERENCES movement (n)
) STRICT;
CREATE INDEX withdrawal_error_of ON withdrawal_error (mass_payout, position);
`;
