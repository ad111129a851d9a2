import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Store } from '../../src/store/store.ts';
import { WATCH_SUBJECTS } from '../../src/store/watches.ts';
import { openTestStore, planBatch } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sendAnew } from './support/send-anew.ts';

/** After the test batch was submitted. */
const RESTORED_MS = 1_800_000_000_000;

let store: Store;
let submittedAtMs: number;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', 1);
  submittedAtMs = (await store.batches.facts('b')).submittedAtMs;
  await store.batches.release('b', submittedAtMs);
});
afterEach(() => store.close());

const bringBack = (atMs: number) =>
  store.watches.note(WATCH_SUBJECTS.store, { condition: 'older', atMs, detail: '' });

it('nothing of a batch that is older than the return of the store is sent on a miss alone', async () => {
  await bringBack(RESTORED_MS);
  const { step, creates } = await sendAnew(store, 'b', { nowMs: () => RESTORED_MS + 10 });
  expect([step, creates]).toMatchObject([{ kind: 'waiting', inDoubt: false }, 0]);
});

it('the miss is written down, so that whoever looks next goes on from it', async () => {
  await bringBack(RESTORED_MS);
  await sendAnew(store, 'b', { nowMs: () => RESTORED_MS + 10 });
  const { idempotencyKey } = await store.chunks.get('b', 0);
  const { lookups } = await store.sends.record({ batchId: 'b', chunk: 0, idempotencyKey });
  expect(lookups).toEqual([{ atMs: RESTORED_MS + 10, attempts: 0, result: 'missed' }]);
});

it('a person decides when nothing can arrive any more, and nobody has seen that lookups find anything', async () => {
  await bringBack(RESTORED_MS);
  const nowMs = () => RESTORED_MS + 3_600_000;
  const { step, creates } = await sendAnew(store, 'b', { nowMs });
  expect([step, creates]).toEqual([{ kind: 'needs-operator', reason: 'LOOKUP_UNPROVEN' }, 0]);
});

it('a batch that was submitted after the store was brought back is sent as ever', async () => {
  await bringBack(submittedAtMs - 1);
  const { step, creates } = await sendAnew(store, 'b', { nowMs: () => RESTORED_MS });
  expect([step, creates]).toEqual([{ kind: 'created' }, 1]);
});
