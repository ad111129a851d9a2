/** What was asked of the sandbox, what is to go wrong, and what the admin API set over the settings. */
export const LOG_TABLES = `
CREATE TABLE request (
  n INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  operation TEXT NOT NULL,
  status INTEGER,
  error_code TEXT,
  object_id TEXT,
  idempotency_key TEXT,
  timestamp_ms INTEGER,
  body_sha256 TEXT NOT NULL,
  request_bytes INTEGER NOT NULL,
  answer_bytes INTEGER,
  duration_ms INTEGER NOT NULL,
  modes TEXT,
  fault TEXT
) STRICT;
CREATE INDEX request_by_operation ON request (operation);
CREATE INDEX request_by_status ON request (status);
CREATE INDEX request_by_key ON request (idempotency_key) WHERE idempotency_key IS NOT NULL;

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
