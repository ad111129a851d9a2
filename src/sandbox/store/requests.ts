import type { Operation } from '../../spec/endpoints.ts';
import type { Database } from './database.ts';

/** One request to an operation, as the sandbox saw and decided it. */
export type RequestRecord = Readonly<{
  /** When it arrived. */
  atMs: number;
  operation: Operation;
  /** As it was decided, whatever a fault made of the answer; null when a fault kept it from being decided. */
  status: number | null;
  errorCode: string | null;
  /** The object that the answer tells of; a replayed create has the one of the first. */
  objectId: string | null;
  idempotencyKey: string | null;
  /** The timestamp inside the signed body. */
  timestampMs: number | null;
  bodySha256: string;
  requestBytes: number;
  answerBytes: number | null;
  /** From its arrival to the decision. */
  durationMs: number;
  /** The header `Sandbox-Modes`. */
  modes: string | null;
  /** Kind of the fault that fired on this request. */
  fault: string | null;
}>;

export type NumberedRequest = RequestRecord & Readonly<{ n: number }>;

/** A page of the log; entries of one operation, status or key, or from a time on. */
export type RequestsPage = Readonly<{
  afterN: number;
  limit: number;
  operation?: Operation | undefined;
  status?: number | undefined;
  idempotencyKey?: string | undefined;
  sinceMs?: number | undefined;
}>;

/**
 * The log of requests. Records are kept in memory until `flush`, so that a read costs no write to
 * disk; whoever writes to the store flushes in the same transaction.
 */
export type Requests = Readonly<{
  append(record: RequestRecord): void;
  flush(): void;
  page(page: RequestsPage): NumberedRequest[];
}>;

/**
 * Records kept in memory at most; a crash loses no more than these, and never one of an accepted
 * create.
 */
const PENDING_MAX = 200;

/** The columns of the table in the order of a record's fields. */
const COLUMNS = `at_ms, operation, status, error_code, object_id, idempotency_key, timestamp_ms, body_sha256,
  request_bytes, answer_bytes, duration_ms, modes, fault`;

/** `kept`: the oldest records beyond so many are deleted; null keeps all. */
export function createRequests(db: Database, kept: number | null): Requests {
  const values = COLUMNS.split(',').map((_name, at) => `value->>${at}`);
  const insert = db.prepare(
    `INSERT INTO request (${COLUMNS}) SELECT ${values.join(', ')} FROM json_each(?) ORDER BY key`,
  );
  const forget = db.prepare('DELETE FROM request WHERE n <= (SELECT max(n) FROM request) - ?');
  const select = createSelect(db);
  const pending: RequestRecord[] = [];

  const flush = (): void => {
    if (pending.length === 0) return;
    insert.run(JSON.stringify(pending.map(toColumns)));
    if (kept !== null) forget.run(kept);
    pending.length = 0;
  };

  return {
    flush,
    append(record) {
      pending.push(record);
      if (pending.length >= PENDING_MAX) flush();
    },
    page(page) {
      flush();
      return select(page).map(toRecord);
    },
  };
}

/**
 * Each filter is a condition of its own, so that SQLite can use its index. Times have none: pages are
 * in the order of numbers, and an index of times would have to be sorted for each of them.
 */
function createSelect(db: Database): (page: RequestsPage) => RequestRow[] {
  return ({ afterN, limit, operation, status, idempotencyKey, sinceMs }) => {
    const conditions = [
      ['n > ?', afterN],
      ['operation = ?', operation],
      ['status = ?', status],
      ['idempotency_key = ?', idempotencyKey],
      ['at_ms >= ?', sinceMs],
    ] as const;
    const asked = conditions.filter(([, value]) => value !== undefined);
    const where = asked.map(([condition]) => condition).join(' AND ');
    const select = db.prepare(`SELECT * FROM request WHERE ${where} ORDER BY n LIMIT ?`);
    return select.all(...asked.map(([, value]) => value), limit) as RequestRow[];
  };
}

type RequestRow = {
  n: number;
  at_ms: number;
  operation: Operation;
  status: number | null;
  error_code: string | null;
  object_id: string | null;
  idempotency_key: string | null;
  timestamp_ms: number | null;
  body_sha256: string;
  request_bytes: number;
  answer_bytes: number | null;
  duration_ms: number;
  modes: string | null;
  fault: string | null;
};

const toColumns = (record: RequestRecord): unknown[] => [
  record.atMs,
  record.operation,
  record.status,
  record.errorCode,
  record.objectId,
  record.idempotencyKey,
  record.timestampMs,
  record.bodySha256,
  record.requestBytes,
  record.answerBytes,
  record.durationMs,
  record.modes,
  record.fault,
];

const toRecord = (row: RequestRow): NumberedRequest => ({
  n: row.n,
  atMs: row.at_ms,
  operation: row.operation,
  status: row.status,
  errorCode: row.error_code,
  objectId: row.object_id,
  idempotencyKey: row.idempotency_key,
  timestampMs: row.timestamp_ms,
  bodySha256: row.body_sha256,
  requestBytes: row.request_bytes,
  answerBytes: row.answer_bytes,
  durationMs: row.duration_ms,
  modes: row.modes,
  fault: row.fault,
});
