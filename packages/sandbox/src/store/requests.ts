import type { Operation } from '@bursar/merchant-api/spec';
import type { Database } from './database.ts';
import type { ListPart } from './page.ts';

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
export type RequestsPage = ListPart &
  Readonly<{
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
 * create. With fewer, waiting for the disk would show in the speed of reads.
 */
const PENDING_MAX = 1_000;

/** `kept`: the oldest records beyond so many are deleted; null keeps all. */
export function createRequests(db: Database, kept: number | null): Requests {
  const bundles = createBundles(db);
  const pending: RequestRecord[] = [];

  const flush = (): void => {
    if (pending.length === 0) return;
    bundles.insert(pending);
    if (kept !== null) bundles.forget(bundles.bounds().lastN - kept);
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
      const { firstN, lastN } = bundles.bounds();
      const oldestN = kept === null ? firstN : Math.max(firstN, lastN - kept + 1);
      const records =
        page.order === 'oldest'
          ? bundles.walk(Math.max(oldestN, (page.after ?? 0) + 1), 1)
          : bundles.walk(Math.min(lastN, (page.after ?? lastN + 1) - 1), -1);
      const found: NumberedRequest[] = [];
      for (const record of records) {
        if (record.n < oldestN) break;
        if (fits(record, page)) found.push(record);
        if (found.length === page.limit) break;
      }
      return found;
    },
  };
}

/**
 * A filter may look at every record, two microseconds each. An index would cost every request several,
 * and hardly anybody filters.
 */
function fits(record: RequestRecord, page: RequestsPage): boolean {
  const { operation, status, idempotencyKey, sinceMs } = page;
  return (
    (operation === undefined || record.operation === operation) &&
    (status === undefined || record.status === status) &&
    (idempotencyKey === undefined || record.idempotencyKey === idempotencyKey) &&
    (sinceMs === undefined || record.atMs >= sinceMs)
  );
}

/** The fields of a record in the order in which it is kept, without their names: those are longer than the rest. */
const FIELDS = [
  'atMs',
  'operation',
  'status',
  'errorCode',
  'objectId',
  'idempotencyKey',
  'timestampMs',
  'bodySha256',
  'requestBytes',
  'answerBytes',
  'durationMs',
  'modes',
  'fault',
] as const satisfies readonly (keyof RequestRecord)[];

const toValues = (record: RequestRecord): unknown[] => FIELDS.map((field) => record[field]);

const toRecord = (values: readonly unknown[]): RequestRecord =>
  Object.fromEntries(FIELDS.map((field, at) => [field, values[at]])) as RequestRecord;

/** Records with numbers that follow one another. */
type Bundle = Readonly<{ firstN: number; records: readonly RequestRecord[] }>;

const recordIn = ({ firstN, records }: Bundle, n: number): RequestRecord | undefined =>
  records[n - firstN];

/** Records lie in bundles, as JSON: a row for each would take as long as everything else that a read does. */
function createBundles(db: Database) {
  const lastN = 'coalesce((SELECT last_n FROM request_bundle ORDER BY first_n DESC LIMIT 1), 0)';
  const insert = db.prepare(
    `INSERT INTO request_bundle SELECT last_n + 1, last_n + ?1, ?2 FROM (SELECT ${lastN} AS last_n)`,
  );
  const forget = db.prepare('DELETE FROM request_bundle WHERE first_n <= ?1 AND last_n <= ?1');
  const bounds = db.prepare(
    `SELECT coalesce((SELECT min(first_n) FROM request_bundle), 1) AS firstN, ${lastN} AS lastN`,
  );
  const select = db.prepare(
    'SELECT first_n, records FROM request_bundle WHERE first_n <= ? ORDER BY first_n DESC LIMIT 1',
  );

  /** The bundle that holds a record, if there is one. */
  function bundleAt(n: number): Bundle {
    const row = select.get(n) as { first_n: number; records: string } | undefined;
    if (row === undefined) return { firstN: n, records: [] };
    const records = JSON.parse(row.records) as unknown[][];
    return { firstN: row.first_n, records: records.map(toRecord) };
  }

  return {
    /** Numbers of the first and of the last record; 1 and 0 when there are none. */
    bounds: () => bounds.get() as Readonly<{ firstN: number; lastN: number }>,
    insert: (records: readonly RequestRecord[]): void =>
      void insert.run([records.length, JSON.stringify(records.map(toValues))]),
    /** Deletes the bundles that hold nothing later than this record. */
    forget: (upToN: number): void => void forget.run([upToN]),
    /** The records from one on, upwards (1) or downwards (-1), as far as there are any. */
    *walk(startN: number, step: 1 | -1): Generator<NumberedRequest> {
      let bundle = bundleAt(startN);
      for (let n = startN; ; n += step) {
        if (recordIn(bundle, n) === undefined) bundle = bundleAt(n);
        const record = recordIn(bundle, n);
        if (record === undefined) return;
        yield { n, ...record };
      }
    },
  };
}
