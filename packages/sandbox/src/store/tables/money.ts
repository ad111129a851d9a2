/** Balances, and every change of them. */
export const MONEY_TABLES = `
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
`;
