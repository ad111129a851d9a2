import { expect, it } from '@jest/globals';
import { reportRows } from '../../src/report/report-rows.ts';
import { writableDb } from '../../src/store/database/writable.ts';
import { planChunks, stagedChunk } from '../support/store-fixtures.ts';
import { openTestStore } from '../support/test-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** More rows than are read together: two reads have two chunks each, and one has a single chunk. */
const CHUNKS = 5;
const CHUNK_ROWS = 4_000;

const firstRowOf = (chunk: number): number => 2 + chunk * CHUNK_ROWS;

const failedRow = (chunk: number) => ({
  batch_id: 'b',
  row: firstRowOf(chunk) + 1,
  chunk,
  outcome: 'FAILED',
  reason: `reason of chunk ${chunk}`,
  amount: '1',
  withdrawal_id: `w-${chunk}`,
  transaction_hash: null,
  fee: null,
  fee_currency: null,
});

const transactionOf = (chunk: number) => ({
  row: firstRowOf(chunk) + 2,
  transactionId: `t-${chunk}`,
  hash: `hash-${chunk}`,
  amount: '1',
  fee: null,
  feeCurrency: null,
  atMs: 5,
  equalRows: 1,
});

it('every row has the outcome and the transaction of its own chunk, in all reads of the store', async () => {
  const store = await openTestStore(temporaryFolder());
  const numbers = Array.from({ length: CHUNKS }, (_, chunk) => chunk);
  await planChunks(
    store,
    'b',
    numbers.map((chunk) => stagedChunk(chunk, CHUNK_ROWS)),
  );
  await writableDb(store).updateTable('chunk').set({ default_outcome: 'PAID' }).execute();
  // The last one names a row of another chunk, which it says nothing about.
  const strange = { ...failedRow(1), row: firstRowOf(0), reason: 'strange' };
  await writableDb(store)
    .insertInto('row_outcome')
    .values([...numbers.map(failedRow), strange])
    .execute();
  const listed = { fromMs: 0, toMs: 10 };
  const range = { from: 2, to: firstRowOf(CHUNKS) - 1 };
  await store.transactions.save('b', range, { found: numbers.map(transactionOf), listed });

  const batch = await store.batches.find('b');
  if (batch === undefined) throw new Error('the batch is in the store');
  const changed: unknown[] = [];
  let rows = 0;
  for await (const row of reportRows(store, batch, await store.chunks.list('b'))) {
    expect(row.row).toBe(2 + rows);
    rows += 1;
    const { outcome, reason, withdrawalId, transactionHash } = row;
    if (outcome === 'PAID' && transactionHash === '') continue;
    changed.push([row.row, outcome, reason, withdrawalId, transactionHash]);
  }
  expect(rows).toBe(CHUNKS * CHUNK_ROWS);
  expect(changed).toEqual(
    numbers.flatMap((chunk) => [
      [firstRowOf(chunk) + 1, 'FAILED', `reason of chunk ${chunk}`, `w-${chunk}`, ''],
      [firstRowOf(chunk) + 2, 'PAID', '', '', `hash-${chunk}`],
    ]),
  );
  await store.close();
});
