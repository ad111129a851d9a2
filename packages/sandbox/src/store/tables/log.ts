/** Requests, faults, values that the admin API set over the settings, and poisoned keys. */
export const LOG_TABLES = `
CREATE TABLE request_bundle (
  first_n INTEGER PRIMARY KEY,
  last_n INTEGER NOT NULL,
  records TEXT NOT NULL
) STRICT;

CREATE TABLE fault (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  rule TEXT NOT NULL,
  drawn INTEGER NOT NULL,
  fired INTEGER NOT NULL
) STRICT;

CREATE TABLE override (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE poisoned_key (
  account TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  PRIMARY KEY (account, idempotency_key)
) STRICT, WITHOUT ROWID;
`;

/** Tables that a file of the same version may lack, because they came later. */
export const ADDED_TABLES = `
CREATE TABLE IF NOT EXISTS admin_change (
  n INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  after_request INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  input TEXT NOT NULL
) STRICT;
`;
