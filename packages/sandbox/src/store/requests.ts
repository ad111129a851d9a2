import type { Operation } from '@bursar/merchant-api/spec';
import type { Database } from './database.ts';
import type { ListPart } from './page.ts';

/** One request to an operation, and the sandbox's decision. */
export type RequestRecord = Readonly<{
  /** When it arrived. */
  atMs: number;
  operation: Operation;
  /**
   * The status of the decision, even if a fault changed the answer. Null when a fault prevented the
   * decision.
   */
  status: number | null;
  errorCode: string | null;
  /** The object in the answer. A replayed create has the id of the first create. */
  objectId: string | null;
  idempotencyKey: string | null;
  /** The timestamp inside the signed body. */
  timestampMs: number | null;
  bodySha256: string;
  requestBytes: number;
  answerBytes: number | null;
  /** From arrival to decision. */
  durationMs: number;
  /** The header `Sandbox-Modes`. */
  modes: string | null;
  /** The kind of the fault that fired on this request. */
  fault: string | null;
  /** Null unless the mode `bodies` keeps them. */
  kept: KeptRequest | null;
}>;

/** What a replay needs of a request, and the answer that the sandbox decided. */
export type KeptRequest = Readonly<{
  /** The place of its key in the settings. Null: an unknown key. */
  key: number | null;
  contentType: string | null;
  body: string;
  /** Bytes that are not UTF-8 are kept in base64. */
  encoding: 'utf8' | 'base64';
  answer: string | null;
}>;

export type NumberedRequest = RequestRecord & Readonly<{ n: number }>;

/** A page of the log, with optional filters by operation, status, key and time. */
export type RequestsPage = ListPart &
  Readonly<{
    operation?: Operation | undefined;
    status?: number | undefined;
    idempotencyKey?: string | undefined;
    sinceMs?: number | undefined;
  }>;

/**
 * The log of requests. `append` keeps records in memory until `flush`, so that a read causes no
 * write to disk.
 * Code that writes to the store also flushes, in the same transaction.
 */
export type Requests = Readonly<{
  append(record: RequestRecord): void;
  flush(): void;
  page(page: RequestsPage): NumberedRequest[];
  /** The number of the latest record. 0 when there is none. */
  lastN(): number;
}>;

/**
 * The most records in memory. A crash loses no more, and never the record of an accepted create.
 * A smaller limit would slow reads down, because they would wait for the disk.
 */
const PENDING_MAX = 1_000;

/** `kept` is the number of records to keep. Older ones are deleted. Null keeps all. */
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
    lastN() {
      flush();
      return bundles.bounds().lastN;
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
 * A filter may read every record, at two microseconds each. An index would add several to each
 * request, and filters are rare.
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

/**
 * The fields of a stored record, in order. The store omits their names, which would be longer than
 * the values.
 */
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
  'kept',
] as const satisfies readonly (keyof RequestRecord)[];

const toValues = (record: RequestRecord): unknown[] => {
  const values = FIELDS.map((field) => record[field]);
  // Most records have no bodies, and a null at the end would be written in each.
  return record.kept === null ? values.slice(0, -1) : values;
};

const toRecord = (values: readonly unknown[]): RequestRecord =>
  Object.fromEntries(FIELDS.map((field, at) => [field, values[at] ?? null])) as RequestRecord;

/** Records with consecutive numbers. */
type Bundle = Readonly<{ firstN: number; records: readonly RequestRecord[] }>;

const recordIn = ({ firstN, records }: Bundle, n: number): RequestRecord | undefined =>
  records[n - firstN];

/**
 * Records are stored in bundles, as JSON. One row for each would take as long as everything else in
 * a read.
 */
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

  /** Returns the bundle of a record, or an empty one. */
  function bundleAt(n: number): Bundle {
    const row = select.get(n) as { first_n: number; records: string } | undefined;
    if (row === undefined) return { firstN: n, records: [] };
    const records = JSON.parse(row.records) as unknown[][];
    return { firstN: row.first_n, records: records.map(toRecord) };
  }

  return {
    /** The numbers of the first and of the last record. 1 and 0 when there are none. */
    bounds: () => bounds.get() as Readonly<{ firstN: number; lastN: number }>,
    insert: (records: readonly RequestRecord[]): void =>
      void insert.run([records.length, JSON.stringify(records.map(toValues))]),
    /** Deletes the bundles whose records are all up to this number. */
    forget: (upToN: number): void => void forget.run([upToN]),
    /** Yields the records from one number on, upwards (1) or downwards (-1). */
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
