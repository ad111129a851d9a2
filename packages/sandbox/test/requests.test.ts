import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { closeDatabase, openDatabase } from '../src/store/database.ts';
import {
  createRequests,
  type RequestRecord,
  type Requests,
  type RequestsPage,
} from '../src/store/requests.ts';
import { onCleanup, temporaryFolder } from './support/start.ts';

const KEYS = ['key-1', 'key-2', null] as const;

const record = (at: number): RequestRecord => ({
  atMs: at,
  operation: at % 3 === 0 ? 'ACCOUNT' : 'MASS_GET',
  status: at % 5 === 0 ? 400 : 200,
  errorCode: null,
  objectId: null,
  idempotencyKey: KEYS[at % KEYS.length] ?? null,
  timestampMs: at,
  bodySha256: String(at),
  requestBytes: 1,
  answerBytes: null,
  durationMs: 0,
  modes: null,
  fault: null,
  kept: null,
});

async function openLog(kept: number | null): Promise<Requests> {
  const db = openDatabase(join(await temporaryFolder(), 'sandbox.db'));
  onCleanup(async () => closeDatabase(db));
  return createRequests(db, kept);
}

/** Appends records and flushes after each of the counts, so that bundles differ in length. */
function fill(requests: Requests, counts: readonly number[]): number {
  let total = 0;
  for (const count of counts) {
    for (let more = 0; more < count; more += 1) requests.append(record((total += 1)));
    requests.flush();
  }
  return total;
}

/** The page as it follows from the numbers alone. */
function expected(total: number, kept: number | null, page: RequestsPage): number[] {
  const { order, after, limit, operation, status, idempotencyKey, sinceMs = 0 } = page;
  const numbers = Array.from({ length: total }, (_, at) => at + 1).filter((n) => {
    const { operation: op, status: code, idempotencyKey: key } = record(n);
    return (
      n > total - (kept ?? total) &&
      (after === null || (order === 'oldest' ? n > after : n < after)) &&
      (operation === undefined || op === operation) &&
      (status === undefined || code === status) &&
      (idempotencyKey === undefined || key === idempotencyKey) &&
      n >= sinceMs
    );
  });
  return (order === 'oldest' ? numbers : numbers.toReversed()).slice(0, limit);
}

const Page: fc.Arbitrary<RequestsPage> = fc.record({
  order: fc.constantFrom('oldest', 'newest'),
  after: fc.option(fc.nat(700)),
  limit: fc.integer({ min: 1, max: 300 }),
  operation: fc.constantFrom(undefined, 'ACCOUNT'),
  status: fc.constantFrom(undefined, 400),
  idempotencyKey: fc.constantFrom(undefined, 'key-1'),
  sinceMs: fc.constantFrom(undefined, 100),
});

describe('the log of requests', () => {
  it('gives each page in either order, however its records came to the disk', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 250 }), { maxLength: 5 }),
        fc.option(fc.integer({ min: 1, max: 400 })),
        fc.array(Page, { minLength: 1, maxLength: 10 }),
        async (counts, kept, pages) => {
          const requests = await openLog(kept);
          const total = fill(requests, counts);
          for (const page of pages) {
            const found = requests.page(page);
            expect(found.map(({ n }) => n)).toEqual(expected(total, kept, page));
            for (const { n, ...rest } of found) expect(rest).toEqual(record(n));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('writes many records before anyone reads them', async () => {
    const db = openDatabase(join(await temporaryFolder(), 'sandbox.db'));
    onCleanup(async () => closeDatabase(db));
    const requests = createRequests(db, null);
    for (let at = 1; at <= 2_500; at += 1) requests.append(record(at));
    const written = createRequests(db, null).page({ order: 'newest', after: null, limit: 1 });
    expect(written[0]?.n).toBeGreaterThanOrEqual(2_500 - 1_000);
  });

  it('deletes records beyond the limit', async () => {
    const db = openDatabase(join(await temporaryFolder(), 'sandbox.db'));
    onCleanup(async () => closeDatabase(db));
    fill(createRequests(db, 10), [100, 100, 5]);
    expect(createRequests(db, null).page({ order: 'oldest', after: null, limit: 1 })).toEqual([
      { n: 101, ...record(101) },
    ]);
  });

  it('goes on with the next number when it is opened again', async () => {
    const db = openDatabase(join(await temporaryFolder(), 'sandbox.db'));
    onCleanup(async () => closeDatabase(db));
    fill(createRequests(db, null), [3]);
    const again = createRequests(db, null);
    again.append(record(4));
    const page = again.page({ order: 'newest', after: null, limit: 2 });
    expect(page.map(({ n }) => n)).toEqual([4, 3]);
  });
});
