import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Connection } from '../../../src/store/database/db.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import { openStore, type Store } from '../../../src/store/index.ts';

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;

let store: Store;
let db: Connection;
const reads: number[] = [];
const writes: number[] = [];

beforeEach(async () => {
  const observer = { read: (ms: number) => reads.push(ms), write: (ms: number) => writes.push(ms) };
  store = await openStore('sqlite::memory:', () => NOW_MS, observer);
  db = writableDb(store);
});
afterEach(() => store.close());

type Times = Readonly<{ plannedAtMs?: number; releasedAtMs?: number; end?: string }>;

const addBatch = (id: string, { plannedAtMs, releasedAtMs, end }: Times) =>
  db
    .insertInto('batch')
    .values({
      batch_id: id,
      code: id,
      account_ref: 'a',
      account: 'a',
      file_name: 'f.csv',
      file_sha256: '',
      submitted_by: 'ann',
      submitted_at_ms: NOW_MS - DAY_MS,
      options_json: '{}',
      generation: 0,
      report_version: 0,
      planned_at_ms: plannedAtMs ?? null,
      released_at_ms: releasedAtMs ?? null,
      end_state: end ?? null,
    })
    .execute();

type ChunkFacts = Readonly<{ state: string; outcome: string; attentionMs?: number }>;

const addChunk = (batchId: string, chunk: number, { state, outcome, attentionMs }: ChunkFacts) =>
  db
    .insertInto('chunk')
    .values({
      batch_id: batchId,
      chunk,
      currency: 'USDT_TRC20',
      row_count: 10,
      total: '10',
      first_row: 1,
      last_row: 10,
      idempotency_key: `key-${batchId}-${chunk}`,
      external_id: 'x',
      state,
      default_outcome: outcome,
      default_reason: '',
      final: 0,
      reopened: 0,
      attention_since_ms: attentionMs ?? null,
    })
    .execute();

const addAttempt = (key: string, outcome: string, timestampMs: number) =>
  db
    .insertInto('attempt')
    .values({ idempotency_key: key, n: 1, timestamp_ms: timestampMs, body_sha256: '', outcome })
    .execute();

it('counts batches by end, and open ones by what they wait for', async () => {
  await addBatch('b1', { end: 'COMPLETED' });
  await addBatch('b2', { end: 'COMPLETED' });
  await addBatch('b3', {});
  await addBatch('b4', { plannedAtMs: NOW_MS - 60_000 });
  await addBatch('b5', { plannedAtMs: NOW_MS - 90_000, releasedAtMs: NOW_MS - 80_000 });
  const { batches, waitingSinceMs } = await store.figures.read(NOW_MS);
  expect(Object.fromEntries(batches)).toEqual({
    COMPLETED: 2,
    INGESTING: 1,
    WAITING: 1,
    PAYING: 1,
  });
  expect(waitingSinceMs).toBe(NOW_MS - 60_000);
});

it('counts rows of open batches by outcome, each row once', async () => {
  await addBatch('open', { plannedAtMs: 1, releasedAtMs: 2 });
  await addBatch('ended', { plannedAtMs: 1, releasedAtMs: 2, end: 'COMPLETED' });
  await addChunk('open', 0, { state: 'CREATED', outcome: 'PAID' });
  await addChunk('open', 1, { state: 'PLANNED', outcome: 'IN_FLIGHT' });
  await addChunk('open', 1_500, { state: 'SENDING', outcome: 'IN_FLIGHT' });
  await addChunk('ended', 0, { state: 'CREATED', outcome: 'PAID' });
  await db
    .insertInto('row_outcome')
    .values({ batch_id: 'open', row: 3, chunk: 0, outcome: 'FAILED', reason: '', amount: '1' })
    .execute();
  const { rows } = await store.figures.read(NOW_MS);
  expect(Object.fromEntries(rows)).toEqual({ PAID: 9, FAILED: 1, PLANNED: 10, IN_FLIGHT: 10 });
});

it('counts chunks in doubt and those that wait for people, with the age of the oldest', async () => {
  await addBatch('open', { plannedAtMs: 1, releasedAtMs: 2 });
  await addChunk('open', 0, { state: 'SENDING', outcome: 'IN_FLIGHT' });
  await addChunk('open', 1, { state: 'NEEDS_OPERATOR', outcome: 'IN_FLIGHT', attentionMs: 77 });
  await addChunk('open', 2, { state: 'CREATED', outcome: 'IN_FLIGHT' });
  await addAttempt('key-open-0', 'AMBIGUOUS', 500);
  await addAttempt('key-open-1', 'THROTTLED', 400);
  await addAttempt('key-open-2', 'AMBIGUOUS', 1);
  const figures = await store.figures.read(NOW_MS);
  expect(figures).toMatchObject({ inDoubt: 2, inDoubtSinceMs: 400 });
  expect(figures).toMatchObject({ attention: 1, attentionSinceMs: 77, waitingSinceMs: 77 });
});

it('counts notifications that wait, and missed runs of the last seven days', async () => {
  const body = { id: 'n1', event: 'batch.done', batchId: null, body: '{}' };
  await store.notifications.put(body, { targets: ['one', 'two'], atMs: NOW_MS - 5_000 });
  const run = { nominal: 'x', state: 'MISSED', rejected: 0, detail: '', changed_at_ms: 0 };
  const due = [NOW_MS - DAY_MS, NOW_MS - 8 * DAY_MS];
  for (const [at, dueAtMs] of due.entries()) {
    const values = { ...run, schedule_id: `s${at}`, due_at_ms: dueAtMs };
    await db.insertInto('schedule_run').values(values).execute();
  }
  expect(await store.figures.read(NOW_MS)).toMatchObject({
    deliveriesWaiting: 2,
    deliveryWaitingSinceMs: NOW_MS - 5_000,
    runsMissed: 1,
  });
});

it('the times of reads and writes are measured, and those of the figures are not', async () => {
  reads.length = 0;
  writes.length = 0;
  await store.figures.read(NOW_MS);
  expect(reads).toEqual([]);
  await store.funds.waiting(1);
  expect(reads).toHaveLength(1);
  await store.probeWrite();
  expect(writes).toHaveLength(1);
  expect(await db.selectFrom('health_check').selectAll().execute()).toEqual([]);
});
