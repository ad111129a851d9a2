import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../../src/store/index.ts';
import type { ChunkRef } from '../../../src/store/sending/sends.ts';
import { ON_THEIR_WAY_MS } from '../../../src/domain/restore/beginning.ts';
import { ACCOUNT, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sendAnew } from '../support/send-anew.ts';

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

const bringBack = (atMs: number) => store.restores.raise({ atMs, reason: '' });

it('no chunk of a batch from before the restore is sent on a miss alone', async () => {
  await bringBack(RESTORED_MS);
  const { step, creates } = await sendAnew(store, 'b', { nowMs: () => RESTORED_MS + 10 });
  const verifying = { verified: 0, total: 1 };
  expect([step, creates]).toMatchObject([{ kind: 'waiting', inDoubt: false, verifying }, 0]);
});

it('a copy of the store that no operator declared is found by its audit log, and sends nothing before it is verified', async () => {
  const ref = await store.identity.ref();
  const newer = { ...ref, audit: { seq: ref.audit.seq + 1, hash: 'lost' } };
  expect(await store.identity.declareCopy(newer, RESTORED_MS)).toBe(true);
  const { step, creates } = await sendAnew(store, 'b', { nowMs: () => RESTORED_MS + 10 });
  expect([step, creates]).toMatchObject([{ kind: 'waiting', inDoubt: false }, 0]);
  expect(await store.restores.progress('b')).not.toBeNull();
});

it('the miss is stored, and the next verification continues from it', async () => {
  await bringBack(RESTORED_MS);
  await sendAnew(store, 'b', { nowMs: () => RESTORED_MS + 10 });
  const { idempotencyKey } = await store.chunks.get('b', 0);
  const { lookups } = await store.sends.record({ batchId: 'b', chunk: 0, idempotencyKey });
  expect(lookups).toMatchObject([{ atMs: RESTORED_MS + 10, attempts: 0, result: 'missed' }]);
});

it('a person decides once nothing can arrive any more, while lookups are not verified', async () => {
  const epoch = await bringBack(RESTORED_MS);
  // A worker with the same clock met a batch of the store soon after.
  await store.restores.firstReading(epoch, { clock: 'ours', ms: RESTORED_MS + 10 });
  const nowMs = () => RESTORED_MS + 3_600_000;
  const { step, creates } = await sendAnew(store, 'b', { nowMs });
  expect([step, creates]).toMatchObject([{ kind: 'needs-operator', reason: 'LOOKUP_UNPROVEN' }, 0]);
});

it('the time since then is counted from the first read of each clock, and not by the wall clock', async () => {
  const epoch = await bringBack(RESTORED_MS);
  const read = (ms: number, clock = 'ours') => store.restores.firstReading(epoch, { clock, ms });
  expect(await read(10)).toEqual({ clock: 'ours', ms: 10 });
  expect(await read(500)).toEqual({ clock: 'ours', ms: 10 });
  expect(await read(7, 'another')).toEqual({ clock: 'another', ms: 7 });
  // One that was brought back once more is counted anew.
  const again = await store.restores.firstReading(epoch + 1, { clock: 'ours', ms: 900 });
  expect(again).toEqual({ clock: 'ours', ms: 900 });
});

it('a batch that is certainly new is sent as usual', async () => {
  const epoch = await bringBack(submittedAtMs - ON_THEIR_WAY_MS - 1);
  await store.restores.note('b', epoch, 'NEW');
  const { step, creates } = await sendAnew(store, 'b', { nowMs: () => RESTORED_MS });
  expect([step, creates]).toEqual([{ kind: 'created' }, 1]);
});

it.each([
  ['was submitted while requests may still have been on their way', ON_THEIR_WAY_MS, undefined],
  ['was submitted later, and was never planned here', ON_THEIR_WAY_MS + 1, undefined],
  ['was submitted later, and proved to have begun before', ON_THEIR_WAY_MS + 1, 'BEGUN'],
] as const)('a batch that %s is not sent on a miss alone', async (_what, laterMs, said) => {
  const restoredAtMs = submittedAtMs - laterMs;
  const epoch = await bringBack(restoredAtMs);
  if (said !== undefined) await store.restores.note('b', epoch, said);
  const nowMs = () => restoredAtMs + 10;
  const { step, creates } = await sendAnew(store, 'b', { nowMs });
  expect([step, creates]).toMatchObject([{ kind: 'waiting' }, 0]);
});

it('earlier answers about a batch do not count after the store is restored again', async () => {
  const epoch = await bringBack(RESTORED_MS);
  await store.restores.note('b', epoch, 'NEW');
  expect(await store.restores.of('b')).toBeUndefined();
  const again = { epoch: await bringBack(RESTORED_MS + 2), atMs: RESTORED_MS + 2, hasBegun: false };
  expect(await store.restores.of('b')).toEqual(again);
  // Whoever found it out before the second copy came, and writes it down after.
  await store.restores.note('b', epoch, 'NEW');
  expect(await store.restores.of('b')).toEqual(again);
});

it('no chunk of a batch with possible sends is called unsent without an operator', async () => {
  const epoch = await bringBack(RESTORED_MS);
  await store.chunks.closeUnsent('b', 'canceled');
  expect((await store.chunks.get('b', 0)).state).toBe('PLANNED');
  await store.restores.note('b', epoch, 'NEW');
  await store.chunks.closeUnsent('b', 'canceled');
  expect((await store.chunks.get('b', 0)).state).toBe('NOT_SENT');
});

it('a chunk that is found though it was verified shows that lookups contradict themselves, and others are verified again', async () => {
  await planBatch(store, 'c', 2);
  await store.batches.release('c', submittedAtMs);
  const epoch = await bringBack(RESTORED_MS);
  await store.restores.firstReading(epoch, { clock: 'ours', ms: RESTORED_MS });
  const refs = [0, 1].map(async (chunk) => {
    const { idempotencyKey } = await store.chunks.get('c', chunk);
    return { batchId: 'c', chunk, idempotencyKey };
  });
  const [first, second] = (await Promise.all(refs)) as [ChunkRef, ChunkRef];
  const atMs = RESTORED_MS + 3_600_000;
  const asked = { clock: 'ours', ms: atMs };
  const miss = { atMs, attempts: 0, result: 'missed', asked, elapsedMs: 3_600_000, epoch } as const;
  await store.sends.recordLookup(first, miss);
  const where = { account: ACCOUNT, baseUrl: 'http://service', atMs };
  const verified = { epoch, by: 'lookups', attempts: 0, from: 'PLANNED', ...where } as const;
  for (const ref of [first, second]) await store.restores.verify(ref, verified);

  const { total } = await store.chunks.get('c', 0);
  const found = {
    id: 'mp',
    state: 'COMPLETED',
    withdrawalErrors: [],
    unreadableParts: [],
    account: ACCOUNT,
    idempotencyKey: first.idempotencyKey,
    totalWithdrawalAmount: total,
  };
  const { step, creates } = await sendAnew(store, 'c', { nowMs: () => atMs + 60_000, found });
  expect([step.kind, creates]).toEqual(['created', 0]);
  const { disproof } = await store.lookupVerification.trust(ACCOUNT, 'http://service');
  expect(disproof).toMatchObject({ batchId: 'c', chunk: 0, reason: 'FOUND_AFTER_MISS' });
  expect((await store.sends.state(second)).verification).toBe('due');
});

describe('a batch that had ended before the copy was taken', () => {
  const muchLater = { nowMs: () => RESTORED_MS + 3_600_000 };
  const refOf = async () => {
    const { idempotencyKey } = await store.chunks.get('b', 0);
    return { batchId: 'b', chunk: 0, idempotencyKey };
  };

  it('stays refused, when it was refused for certain', async () => {
    const ref = await refOf();
    const intent = { payload: 'p', payloadSha256: 'sha-p' };
    await store.sends.beginAttempt(ref, { n: 1, timestampMs: 1, bodySha256: 'b', intent });
    await store.sends.endAttempt(ref, { n: 1, outcome: 'REJECTED', endedMs: 2, httpStatus: 400 });
    await store.sends.setRejected(ref, { attempts: 1, from: 'SENDING', reason: 'refused' });
    await bringBack(RESTORED_MS);
    const { step, creates } = await sendAnew(store, 'b', muchLater);
    expect([step, creates]).toMatchObject([{ kind: 'rejected' }, 0]);
    expect((await store.chunks.get('b', 0)).state).toBe('REJECTED');
  });

  it('stays closed, for its stored reason', async () => {
    const first = { attempts: 0, from: 'PLANNED', reason: 'the first reason' } as const;
    await store.sends.setNotSent(await refOf(), first);
    await bringBack(RESTORED_MS);
    const sent = await sendAnew(store, 'b', muchLater);
    expect(sent).toEqual({ step: { kind: 'closed' }, creates: 0 });
    const { state, defaultReason } = await store.chunks.get('b', 0);
    expect([state, defaultReason]).toEqual(['NOT_SENT', 'the first reason']);
  });
});

describe('a mass payout at the service without an attempt in the store', () => {
  const idOf = async () => (await store.chunks.get('b', 0)).idempotencyKey;
  const total = async () => (await store.chunks.get('b', 0)).total;

  it('shows that the store is an older copy, which is stored for every batch that the copy may lack', async () => {
    const nowMs = () => RESTORED_MS;
    const found = {
      id: 'mp',
      state: 'COMPLETED',
      withdrawalErrors: [],
      unreadableParts: [],
      account: ACCOUNT,
      idempotencyKey: await idOf(),
      totalWithdrawalAmount: await total(),
    };
    const sent = await sendAnew(store, 'b', { nowMs, found });
    expect(sent).toEqual({ step: { kind: 'created' }, creates: 0 });
    expect(await store.restores.of('b')).toMatchObject({ atMs: RESTORED_MS, hasBegun: true });
  });

  it('makes its batch wait for a person when it differs from the intent', async () => {
    const found = {
      id: 'mp',
      state: 'COMPLETED',
      withdrawalErrors: [],
      unreadableParts: [],
      account: ACCOUNT,
      idempotencyKey: await idOf(),
      totalWithdrawalAmount: '999',
    };
    const { step, creates } = await sendAnew(store, 'b', { nowMs: () => RESTORED_MS, found });
    expect([step, creates]).toEqual([{ kind: 'needs-operator', reason: 'PAYOUT_DIFFERS' }, 0]);
    expect(await store.holds.open('b')).toMatchObject([{ kind: 'PAUSE', by: 'Bursar' }]);
    expect(await store.restores.lastAtMs()).toBeUndefined();
  });
});
