import { expect, it } from '@jest/globals';
import { writableDb } from '../../../src/store/database/writable.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ATTEMPT = {
  body_sha256: 'b',
  clock_id: null,
  clock_ms: null,
  unsent_id: null,
  ended_ms: 2,
  http_status: null,
  error_code: null,
  trace_id: null,
  retry_after_ms: null,
};

it('chunks whose create left more than once are named with their rows', async () => {
  const store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', 3);
  const attempt = async (
    chunk: number,
    n: number,
    outcome: 'ACCEPTED' | 'AMBIGUOUS' | 'REJECTED',
  ) => {
    const { idempotencyKey } = await store.chunks.get('b', chunk);
    const row = { ...ATTEMPT, idempotency_key: idempotencyKey, n, timestamp_ms: n, outcome };
    await writableDb(store).insertInto('attempt').values(row).execute();
  };
  await attempt(0, 1, 'ACCEPTED');
  await attempt(1, 1, 'AMBIGUOUS');
  await attempt(1, 2, 'ACCEPTED');
  await attempt(2, 1, 'REJECTED');
  await attempt(2, 2, 'ACCEPTED');
  expect(await store.balances.createdAgain('b')).toEqual([{ chunk: 1, firstRow: 4, lastRow: 5 }]);
  await store.close();
});
