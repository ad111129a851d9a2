import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../../src/store/index.ts';
import { newBatch, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const AT_MS = 1_800_000_001_000;
const ANN = { by: 'ann', reason: 'wrong month' };

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

async function begin(): Promise<string> {
  const { idempotencyKey } = await store.chunks.get('b', 0);
  const intent = { payload: 'p', payloadSha256: 'sha-p' };
  const attempt = { n: 1, timestampMs: AT_MS, bodySha256: 'b', intent };
  return store.sends.beginAttempt({ batchId: 'b', chunk: 0, idempotencyKey }, attempt);
}

/** The actions of the audit log about the batch, with their actors. */
const entries = async () =>
  (await store.audit.list({ batchId: 'b', limit: 9 })).map(
    ({ action, actor }) => `${action} ${actor}`,
  );

describe('a batch that was stopped before any worker read it', () => {
  it('by a cancel, is canceled as soon as the store has it, and sends nothing', async () => {
    await store.batches.cancel('b', ANN, AT_MS);
    expect(await store.batches.find('b')).toBeUndefined();
    expect(await store.batches.canceled('b')).toEqual(ANN);
    await planBatch(store, 'b', 1);
    expect(await store.batches.find('b')).toMatchObject({ canceled: ANN });
    expect(await store.batches.canceled('b')).toEqual(ANN);
    expect(await begin()).toBe('held');
  });

  it('by a pause, is paused as soon as the store has it, and sends nothing', async () => {
    const pause = { kind: 'PAUSE', reason: 'lunch', by: 'ann', facts: {} } as const;
    await store.holds.put('b', pause, AT_MS);
    await planBatch(store, 'b', 1);
    expect(await begin()).toBe('held');
  });

  it('keeps its first cancel, and the log has the second one of another person, too', async () => {
    await store.batches.cancel('b', ANN, AT_MS);
    await store.batches.cancel('b', ANN, AT_MS);
    await store.batches.cancel('b', { by: 'bob', reason: 'no' }, AT_MS);
    await store.batches.register(newBatch('b'));
    expect(await store.batches.canceled('b')).toEqual(ANN);
    expect(await entries()).toEqual(['cancel ann', 'cancel bob', 'take tester']);
  });

  it('holds nothing about another batch', async () => {
    await store.batches.cancel('b', ANN, AT_MS);
    await store.batches.register(newBatch('c'));
    expect(await store.batches.find('c')).toMatchObject({ canceled: null });
    expect(await store.batches.canceled('c')).toBeNull();
    expect(await store.batches.canceled('d')).toBeNull();
  });
});
