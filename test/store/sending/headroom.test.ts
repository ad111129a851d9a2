import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AttemptStart } from '../../../src/store/sending/sends.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { createdChunk } from '../../support/history-fixtures.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore, testStoreUrl } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const CHUNKS = 10;

let store: Store;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
  // Chunks of two rows, each over 1 TRX.
  await planBatch(store, 'b', CHUNKS);
});
afterEach(() => store.close());

const allow = (...stopLoss: string[]) =>
  writableDb(store)
    .updateTable('batch')
    .set({ options_json: JSON.stringify({ stopLoss }) })
    .execute();

async function begin(chunk: number, n = 1): Promise<AttemptStart> {
  const { idempotencyKey } = await store.chunks.get('b', chunk);
  const intent = { payload: `p${chunk}`, payloadSha256: `sha-${chunk}` };
  const attempt = { n, timestampMs: 1, bodySha256: 'b', intent };
  return store.sends.beginAttempt({ batchId: 'b', chunk, idempotencyKey }, attempt);
}

const end = (chunk: number, rest: 'PAID' | 'FAILED') =>
  createdChunk(store, { batchId: 'b', chunk }, { rest });

const beginAll = async (): Promise<AttemptStart[]> =>
  Promise.all(Array.from({ length: CHUNKS }, (_, chunk) => begin(chunk)));

const begunOf = (starts: readonly AttemptStart[]): number =>
  starts.filter((start) => start === 'begun').length;

describe('counters that a worker of an older version has left behind', () => {
  it('do not keep back what there is room for', async () => {
    await allow('4:TRX');
    expect([await begin(0), await begin(1), await begin(2)]).toEqual(['begun', 'begun', 'no-room']);
    const paid = { state: 'CREATED', final: 1, default_outcome: 'PAID' };
    await writableDb(store).updateTable('chunk').set(paid).where('chunk', 'in', [0, 1]).execute();
    expect(await begin(2)).toBe('begun');
  });

  it('let nothing out for which there is no room, once a new worker begins', async () => {
    const url = await testStoreUrl(folder);
    await allow('4:TRX');
    expect(await begin(0)).toBe('begun');
    const sending = { state: 'SENDING' };
    await writableDb(store).updateTable('chunk').set(sending).where('chunk', '>', 4).execute();
    await store.close();
    store = await openStore(url);
    expect(await begin(1)).toBe('no-room');
  });
});

describe('the amount that may be under way at a time', () => {
  it('is everything without a stop loss', async () => {
    expect(begunOf(await beginAll())).toBe(CHUNKS);
  });

  it.each([
    ['7:TRX', 3],
    ['1:TRX', 1],
    ['7:BTC', CHUNKS],
    ['40%', 4],
    ['0%', 1],
  ])(
    'is the amount that the stop loss %s lets fail, with any chunks that begin at the same moment',
    async (rule, count) => {
      await allow(rule);
      const starts = await beginAll();
      expect(begunOf(starts)).toBe(count);
      expect(starts.filter((start) => start === 'no-room')).toHaveLength(CHUNKS - count);
    },
  );

  it('is more once a chunk is at its end, and less by failed rows', async () => {
    await allow('7:TRX');
    await beginAll();
    await end(0, 'PAID');
    expect([await begin(3), await begin(4)]).toEqual(['begun', 'no-room']);
    await end(1, 'FAILED');
    expect(await begin(4)).toBe('no-room');
    await end(2, 'PAID');
    expect([await begin(4), await begin(5)]).toEqual(['begun', 'no-room']);
  });

  it('is nothing once too much has failed, though the batch has no hold yet', async () => {
    await allow('1:TRX');
    expect(await begin(0)).toBe('begun');
    await end(0, 'FAILED');
    expect(await begin(1)).toBe('no-room');
  });

  it('lets a chunk that was begun go on, after any failures meanwhile', async () => {
    await allow('1:TRX');
    expect(await begin(0)).toBe('begun');
    await end(1, 'FAILED');
    expect(await begin(0, 2)).toBe('begun');
  });
});

describe('the chunk to wait for', () => {
  it('is the nearest one that is under way', async () => {
    const nearest = async (chunk: number) => {
      const { idempotencyKey } = await store.chunks.get('b', chunk);
      return store.sends.nearestUnderWay({ batchId: 'b', chunk, idempotencyKey });
    };
    expect(await nearest(4)).toBeUndefined();
    await begin(1);
    await begin(8);
    expect([await nearest(4), await nearest(5), await nearest(8)]).toEqual([1, 8, 1]);
    await end(8, 'PAID');
    expect(await nearest(5)).toBe(1);
  });
});
