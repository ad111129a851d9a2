/**
 * Subscriptions and their deliveries. A null `due_ms`: nothing is due.
 * Triggers keep the counts of deliveries, so that no query counts a million rows.
 */
export const WEBHOOK_TABLES = `
CREATE TABLE subscription (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account TEXT,
  request_id TEXT NOT NULL,
  url TEXT NOT NULL,
  types TEXT NOT NULL,
  groups TEXT NOT NULL,
  public_key TEXT NOT NULL,
  secret_key TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  health TEXT NOT NULL,
  release TEXT
) STRICT;
CREATE UNIQUE INDEX subscription_id ON subscription (id) WHERE deleted = 0;
CREATE UNIQUE INDEX subscription_request ON subscription (account, request_id) WHERE deleted = 0;

CREATE TABLE delivery (
  id INTEGER PRIMARY KEY,
  subscription INTEGER NOT NULL,
  type TEXT NOT NULL,
  account TEXT NOT NULL,
  body TEXT NOT NULL,
  fault TEXT,
  created_ms INTEGER NOT NULL,
  status TEXT NOT NULL,
  due_ms INTEGER,
  attempts INTEGER NOT NULL,
  attempt_log TEXT NOT NULL,
  last_ms INTEGER
) STRICT;
CREATE INDEX delivery_due ON delivery (subscription, due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX delivery_status ON delivery (subscription, status);

CREATE TABLE delivery_count (
  subscription INTEGER NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (subscription, status)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER delivery_added AFTER INSERT ON delivery BEGIN
  INSERT INTO delivery_count VALUES (NEW.subscription, NEW.status, 1)
  ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER delivery_changed AFTER UPDATE OF status ON delivery
WHEN NEW.status <> OLD.status BEGIN
  INSERT INTO delivery_count VALUES (NEW.subscription, NEW.status, 1)
  ON CONFLICT DO UPDATE SET count = count + 1;
  UPDATE delivery_count SET count = count - 1
  WHERE subscription = OLD.subscription AND status = OLD.status;
END;
CREATE TRIGGER delivery_removed AFTER DELETE ON delivery BEGIN
  UPDATE delivery_count SET count = count - 1
  WHERE subscription = OLD.subscription AND status = OLD.status;
END;
`;
