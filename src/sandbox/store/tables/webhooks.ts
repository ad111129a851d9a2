/** Subscriptions, and what is sent to them. A null `due_ms` means that nothing is due. */
export const WEBHOOK_TABLES = `
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
`;
