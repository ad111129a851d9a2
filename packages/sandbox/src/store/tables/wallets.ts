/**
 * Settlement wallets and movements. A movement is one top-up, or all withdrawals of a mass payout
 * that were paid at one moment.
 * A movement with a mass payout stands for the withdrawals that never failed, or for those of a
 * resend. The errors of a resend name the movement.
 */
export const WALLET_TABLES = `
CREATE TABLE wallet (
  n INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  address TEXT NOT NULL UNIQUE,
  blockchain TEXT NOT NULL,
  name TEXT NOT NULL,
  holds_balances INTEGER NOT NULL
) STRICT;
CREATE INDEX wallet_of ON wallet (account, blockchain);

CREATE TABLE movement (
  n INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  account TEXT NOT NULL,
  wallet_address TEXT NOT NULL,
  currency TEXT NOT NULL,
  op_code TEXT NOT NULL,
  mass_payout INTEGER REFERENCES mass_payout (n),
  is_resend INTEGER NOT NULL,
  transactions INTEGER NOT NULL,
  amount TEXT NOT NULL,
  fee TEXT NOT NULL
) STRICT;
CREATE INDEX movement_by_account ON movement (account);
CREATE INDEX movement_by_time ON movement (account, at_ms);
`;
