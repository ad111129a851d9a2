import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ChunkRef } from '../../../src/store/sending/sends.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { planBatch } from '../../support/store-fixtures.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore('sqlite::memory:');
  await planBatch(store, 'b', 4);
});
afterEach(() => store.close());

const refOf = async (chunk: number): Promise<ChunkRef> => {
  const { idempotencyKey } = await store.chunks.get('b', chunk);
  return { batchId: 'b', chunk, idempotencyKey };
};

const attempt = {
  n: 1,
  timestampMs: 1,
  bodySha256: 'b',
  intent: { payload: 'p', payloadSha256: 's' },
};
const payout = (id: string) => ({ id, state: 'CONFIRMED', fee: null, differences: [] });
const accepted = { n: 1, endedMs: 2, outcome: 'ACCEPTED' } as const;

it('a write that the database refuses fails alone: the ends of other attempts are stored', async () => {
  const refs = await Promise.all([0, 1, 2, 3].map(refOf));
  const [first, second, third, last] = refs as [ChunkRef, ChunkRef, ChunkRef, ChunkRef];
  for (const ref of [first, second, third]) await store.sends.beginAttempt(ref, attempt);
  await store.sends.setPayout(first, payout('m0'));
  // The table has one outcome for each row.
  const twice = { row: 2, chunk: 0, outcome: 'FAILED', reason: '', amount: '1' } as const;
  const outcomes = {
    massPayoutState: 'PARTIAL',
    final: true,
    fee: null,
    unclearSinceMs: null,
    keepsLookups: false,
    payoutFingerprint: null,
    reopened: 0,
    defaultOutcome: { outcome: 'PAID', reason: '' },
    rows: [twice, twice],
  } as const;
  const ends = await Promise.allSettled([
    store.sends.endAttempt(second, accepted, payout('m1')),
    store.settlements.save({ batchId: 'b', chunk: 0 }, outcomes),
    store.sends.endAttempt(third, accepted, payout('m2')),
    store.sends.beginAttempt(last, attempt),
  ]);
  expect(ends.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(ends[1]).toMatchObject({ reason: { message: expect.stringContaining('UNIQUE') } });
  const states = await Promise.all(refs.map((ref) => store.sends.state(ref)));
  expect(states.map(({ state }) => state)).toEqual(['CREATED', 'CREATED', 'CREATED', 'SENDING']);
});

it('a mass payout whose id has half a character stands for one chunk', async () => {
  const [first, second] = (await Promise.all([0, 1].map(refOf))) as [ChunkRef, ChunkRef];
  for (const ref of [first, second]) {
    await store.sends.beginAttempt(ref, attempt);
    await store.sends.endAttempt(ref, accepted, payout('m\uD83D'));
  }
  const [one, other] = await store.chunks.list('b');
  expect([one?.state, one?.differs]).toEqual(['CREATED', false]);
  expect([other?.state, other?.differs]).toEqual(['SENDING', true]);
});
