/** What was asked of the sandbox, and what is to go wrong. */
export const LOG_TABLES = `
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
`;
