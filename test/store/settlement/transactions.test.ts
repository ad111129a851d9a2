import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../../src/store/index.ts';
import type {
  ListedTime,
  RowRange,
  RowTransaction,
} from '../../../src/store/settlement/transactions.ts';
import { ACCOUNT, newBatch, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

const found = (row: number, more: Partial<RowTransaction> = {}): RowTransaction => ({
  row,
  transactionId: `t-${row}`,
  hash: `hash-${row}`,
  amount: '1',
  fee: '0.1',
  feeCurrency: 'TRX',
  atMs: 1_800_000_000_000,
  equalRows: 1,
  ...more,
});

const ALL: ListedTime = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
const save = (
  batchId: string,
  range: RowRange,
  all: readonly RowTransaction[],
  listed = ALL,
): Promise<void> => store.transactions.save(batchId, range, { found: all, listed });

const rowsOf = async (from: number, to: number) =>
  [...(await store.transactions.ofRows('b', { from, to })).keys()].sort((a, b) => a - b);

describe('transactions of rows', () => {
  it('come back unchanged, by row', async () => {
    const bare = found(3, { hash: null, fee: null, feeCurrency: null, atMs: null, equalRows: 2 });
    await save('b', { from: 0, to: 9 }, [found(2), bare]);
    await save('other', { from: 0, to: 9 }, [found(4)]);
    expect(await store.transactions.ofRows('b', { from: 0, to: 9 })).toEqual(
      new Map([
        [2, found(2)],
        [3, bare],
      ]),
    );
  });

  it('replace the stored ones of their range, and no others', async () => {
    await save(
      'b',
      { from: 0, to: 9 },
      [2, 3, 4, 5].map((row) => found(row)),
    );
    await save('b', { from: 3, to: 4 }, [found(4, { hash: 'new' })]);
    expect(await rowsOf(0, 9)).toEqual([2, 4, 5]);
    expect((await store.transactions.ofRows('b', { from: 4, to: 4 })).get(4)?.hash).toBe('new');
    await save('b', { from: 0, to: 9 }, []);
    expect(await rowsOf(0, 9)).toEqual([]);
  });

  it('stay when a later list does not reach as far: a row that was seen paid is not unpaid for that', async () => {
    const [earlier, later] = [1_800_000_000_000, 1_800_000_600_000];
    await save('b', { from: 0, to: 9 }, [found(2), found(3, { atMs: later })]);
    await save('b', { from: 0, to: 9 }, [], { fromMs: 0, toMs: earlier });
    expect(await rowsOf(0, 9)).toEqual([3]);
    const again = found(3, { hash: 'again', atMs: earlier });
    await save('b', { from: 0, to: 9 }, [again], { fromMs: 0, toMs: earlier });
    expect(await store.transactions.ofRows('b', { from: 0, to: 9 })).toEqual(new Map([[3, again]]));
  });

  it('may be many', async () => {
    const many = Array.from({ length: 1_201 }, (_, i) => found(i + 2));
    await save('b', { from: 2, to: 1_202 }, many);
    expect(await rowsOf(2, 1_202)).toHaveLength(1_201);
  });
});

const send = async (batchId: string, chunk: number, atMs: number, n = 1): Promise<void> => {
  const { idempotencyKey } = await store.chunks.get(batchId, chunk);
  const ref = { batchId, chunk, idempotencyKey };
  const intent = { payload: '{}', payloadSha256: 'p' };
  await store.sends.beginAttempt(ref, { n, timestampMs: atMs, bodySha256: 'b', intent });
};

it('the first attempt of each chunk counts, and chunks that were never sent have none', async () => {
  await planBatch(store, 'b', 3);
  await send('b', 0, 500);
  await send('b', 0, 900, 2);
  await send('b', 2, 700);
  expect(await store.transactions.firstAttempts('b')).toEqual(
    new Map([
      [0, 500],
      [2, 700],
    ]),
  );
});

describe('other batches', () => {
  const SUBMITTED_MS = newBatch('b').submittedAtMs;
  const others = (fromMs: number, toMs: number) =>
    store.transactions.otherBatches({ batchId: 'b', account: ACCOUNT }, { fromMs, toMs });

  beforeEach(async () => {
    for (const id of ['b', 'sent', 'unsent', 'ended']) await planBatch(store, id, 1);
    await store.batches.register(newBatch('elsewhere', { account: '0xother' }));
    for (const id of ['b', 'sent', 'ended']) await send(id, 0, SUBMITTED_MS);
    await store.batches.end('ended', { state: 'COMPLETED', atMs: SUBMITTED_MS + 50, error: null });
  });

  it('are those of the account with a sent chunk, without the batch itself', async () => {
    expect(await others(0, Number.MAX_SAFE_INTEGER)).toEqual(['ended', 'sent']);
  });

  it('are those that were under way at the time', async () => {
    expect(await others(SUBMITTED_MS + 51, Number.MAX_SAFE_INTEGER)).toEqual(['sent']);
    expect(await others(0, SUBMITTED_MS - 1)).toEqual([]);
    expect(await others(SUBMITTED_MS + 50, SUBMITTED_MS + 50)).toEqual(['ended', 'sent']);
  });
});
