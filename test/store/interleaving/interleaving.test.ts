import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { isBursarError } from '../../../src/domain/errors/bursar-error.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { onServer, testStoreUrl } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { holdCommit } from './held-commits.ts';
import { AT_MS, PAIRS, prepare, type Write } from './writes.ts';

jest.setTimeout(60_000);

/** Names the connections of a second store on a server. */
const SECOND = `second-${process.pid}`;

/** Two processes that share a store. */
async function openTwo(): Promise<readonly [Store, Store]> {
  const url = await testStoreUrl(temporaryFolder());
  const first = await openStore(url, () => AT_MS);
  await prepare(first);
  return [
    first,
    await openStore(onServer ? `${url}?application_name=${SECOND}` : url, () => AT_MS),
  ];
}

/** What a caller gets: a value, or the code of an error. */
async function resultOf(write: Promise<unknown>): Promise<unknown> {
  try {
    return await write;
  } catch (error) {
    if (isBursarError(error)) return error.code;
    throw error;
  }
}

/** What the store says afterwards. Numbers of rows and random names differ from store to store. */
async function factsOf(store: Store): Promise<string> {
  const db = writableDb(store);
  const facts: unknown[] = [];
  for (const query of [
    'select batch_id, chunk, state, final, mass_payout_id, payout_fingerprint, other_payouts_json from chunk order by 1, 2',
    'select idempotency_key, n, outcome from attempt order by 1, 2',
    'select batch_id, digest, row_set, parent_batch_id, canceled_json from batch order by 1',
    'select batch_id, n, kind from hold order by 1, 2',
    'select batch_id, granted_at_ms from claim order by 1',
    'select batch_id, person from approval order by 1, 2',
    'select schedule_id, nominal, claimed_by, batch_id, state from schedule_run order by 1, 2',
    'select notification_id, target, attempts from delivery order by 1, 2',
    'select epoch from store_restore order by 1',
    'select batch_id, n, actor, action from audit where batch_id is not null order by 1, 2',
  ]) {
    facts.push((await sql.raw(query).execute(db)).rows);
  }
  const { broken } = await store.audit.verify();
  return JSON.stringify({ facts, broken });
}

type End = Readonly<{ results: readonly [unknown, unknown]; facts: string }>;

async function oneAfterTheOther(writes: readonly [Write, Write], order: 0 | 1): Promise<End> {
  const stores = await openTwo();
  const results: [unknown, unknown] = [undefined, undefined];
  for (const n of order === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
    results[n] = await resultOf(writes[n](stores[n]));
  }
  return endOf(stores, results);
}

async function endOf(stores: readonly [Store, Store], results: End['results']): Promise<End> {
  const facts = await factsOf(stores[0]);
  for (const store of stores) await store.close();
  return { results, facts };
}

/** One write does its work and stops before its commit; then the other one runs. */
async function interleaved(writes: readonly [Write, Write], held: 0 | 1): Promise<End> {
  const stores = await openTwo();
  const other = held === 0 ? 1 : 0;
  const { reached, release } = holdCommit(stores[0]);
  const results: [unknown, unknown] = [undefined, undefined];
  const holding = resultOf(writes[held](stores[0]));
  // A write that is refused has nothing to commit.
  await Promise.race([reached, holding]);
  const start = onServer ? startOnServer : startOnFile;
  const finish = await start(stores[1], writes[other]);
  release();
  results[held] = await holding;
  results[other] = await finish();
  return endOf(stores, results);
}

/** Starts a write, and waits until it waits for a lock or has ended. Returns how to get its result. */
async function startOnServer(store: Store, write: Write): Promise<() => Promise<unknown>> {
  const running = resultOf(write(store));
  const ended = running.then(() => true);
  for (;;) {
    const { rows } = await sql`
      select pid from pg_stat_activity
        where application_name = ${SECOND} and wait_event_type = 'Lock'`.execute(writableDb(store));
    if (rows.length > 0 || (await Promise.race([ended, sleep(5, false)]))) break;
  }
  return () => running;
}

/** A file has one writer: a second one is refused while the first has not committed. */
async function startOnFile(store: Store, write: Write): Promise<() => Promise<unknown>> {
  await sql`pragma busy_timeout = 0`.execute(writableDb(store));
  expect(await resultOf(write(store))).toBe('STORE_BUSY');
  return () => resultOf(write(store));
}

describe.each(PAIRS)('%s', (_one, first, other, second) => {
  it(`and ${other}: what is committed is that of one order, however the two meet`, async () => {
    const writes = [first, second] as const;
    const orders = [await oneAfterTheOther(writes, 0), await oneAfterTheOther(writes, 1)];
    for (const held of [0, 1] as const) {
      expect(orders).toContainEqual(await interleaved(writes, held));
    }
  });
});
