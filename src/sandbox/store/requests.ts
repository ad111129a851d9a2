import type { Operation } from '../../spec/endpoints.ts';
import type { Database } from './database.ts';

/** One request to an operation, as the sandbox saw and answered it. */
export type RequestRecord = Readonly<{
  atMs: number;
  operation: Operation;
  /** Null when a fault kept the answer back. */
  status: number | null;
  errorCode: string | null;
  idempotencyKey: string | null;
  /** The timestamp inside the signed body. */
  timestampMs: number | null;
  bodySha256: string;
  /** Kind of the fault that fired on this request. */
  fault: string | null;
}>;

export type NumberedRequest = RequestRecord & Readonly<{ n: number }>;

/**
 * The log of requests. Records are kept in memory until `flush`, so that a read costs no write to
 * disk; whoever writes to the store flushes in the same transaction.
 */
export type Requests = Readonly<{
  append(record: RequestRecord): void;
  flush(): void;
  page(afterN: number, limit: number): NumberedRequest[];
}>;

/**
 * Records kept in memory at most; a crash loses no more than these, and never one of an accepted
 * create.
 */
const PENDING_MAX = 200;

export function createRequests(db: Database): Requests {
  const insert = db.prepare(
    `INSERT INTO request
       (at_ms, operation, status, error_code, idempotency_key, timestamp_ms, body_sha256, fault)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7
     FROM json_each(?) ORDER BY key`,
  );
  const select = db.prepare('SELECT * FROM request WHERE n > ? ORDER BY n LIMIT ?');
  const pending: RequestRecord[] = [];

  const flush = (): void => {
    if (pending.length === 0) return;
    insert.run(JSON.stringify(pending.map(toColumns)));
    pending.length = 0;
  };

  return {
    flush,
    append(record) {
      pending.push(record);
      if (pending.length >= PENDING_MAX) flush();
    },
    page(afterN, limit) {
      flush();
      return (select.all(afterN, limit) as RequestRow[]).map(toRecord);
    },
  };
}

type RequestRow = {
  n: number;
  at_ms: number;
  operation: Operation;
  status: number | null;
  error_code: string | null;
  idempotency_key: string | null;
  timestamp_ms: number | null;
  body_sha256: string;
  fault: string | null;
};

const toColumns = (record: RequestRecord): unknown[] => [
  record.atMs,
  record.operation,
  record.status,
  record.errorCode,
  record.idempotencyKey,
  record.timestampMs,
  record.bodySha256,
  record.fault,
];

const toRecord = (row: RequestRow): NumberedRequest => ({
  n: row.n,
  atMs: row.at_ms,
  operation: row.operation,
  status: row.status,
  errorCode: row.error_code,
  idempotencyKey: row.idempotency_key,
  timestampMs: row.timestamp_ms,
  bodySha256: row.body_sha256,
  fault: row.fault,
});
