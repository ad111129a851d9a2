import type { Connection } from '../../../src/store/database/db.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createRoutes, type Routes } from '../../../src/store/webhooks/routes.ts';
import { openTestSqlite } from '../../support/test-database.ts';
import { toRow as rowOf } from '../../../src/store/batches/batch-record.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { externalIdOf, insertChunks, keyOf } from '../../bridge/support/bridge-fakes.ts';

const FIRST = { batchId: 'payroll', chunk: 0, massPayoutId: 'mass-0' };
const SECOND = { batchId: 'payroll', chunk: 1, massPayoutId: 'mass-1' };
const OTHER = { batchId: 'bonus.2026_11-x', chunk: 117 };

const batchRow = (batchId: string) => rowOf(newBatch(batchId), null);

let db: Connection;
let routes: Routes;

beforeEach(async () => {
  db = await openTestSqlite();
  routes = createRoutes(db);
  await insertChunks(db, [FIRST, SECOND, OTHER]);
});

afterEach(() => db.destroy());

it.each([
  ['the idempotency key', keyOf(SECOND), SECOND],
  ['the id of the mass payout', 'mass-1', SECOND],
  ['the external id', externalIdOf(SECOND), SECOND],
  ['the external id of an odd batch id', externalIdOf(OTHER), OTHER],
])('finds a chunk by %s', async (_what, id, { batchId, chunk }) => {
  expect(await routes.find([id])).toEqual([
    { id, batchId, chunk, partition: Math.floor(chunk / 100) },
  ]);
});

it('names the partition by the size that the plan of the batch has', async () => {
  await db
    .insertInto('batch')
    .values({ ...batchRow('bonus.2026_11-x'), partition_chunks: 50 })
    .execute();
  const [route] = await routes.find([externalIdOf(OTHER)]);
  expect(route?.partition).toBe(2);
});

it.each([
  ['no id', []],
  ['an unknown id', ['nobody']],
  ['nothing', ['']],
  ['another generation', ['payroll/1/1']],
  ['a chunk that the batch does not have', ['payroll/7/0']],
  ['another batch', ['other/1/0']],
  ['a number beyond all chunks', ['payroll/99999999999999999999/0']],
  ['a key in other letters', [keyOf(FIRST).toUpperCase()]],
  ['a pattern', ['%', '_', 'payroll/%/0', 'payroll/1/0/0']],
  ['an injection', ["' or 1=1 --"]],
])('finds nothing for %s', async (_what, ids) => {
  expect(await routes.find(ids)).toEqual([]);
});

it('does not take a chunk without a mass payout for one with an empty id', async () => {
  expect(await routes.find(['null', '', 'undefined'])).toEqual([]);
});

it('finds several at once, each once, though ids stand twice', async () => {
  const ids = [keyOf(FIRST), keyOf(FIRST), 'mass-1', externalIdOf(OTHER), 'nobody'];
  const found = await routes.find(ids);
  expect(found).toHaveLength(3);
  expect(found).toEqual(
    expect.arrayContaining([
      { id: keyOf(FIRST), batchId: 'payroll', chunk: 0, partition: 0 },
      { id: 'mass-1', batchId: 'payroll', chunk: 1, partition: 0 },
      { id: externalIdOf(OTHER), batchId: OTHER.batchId, chunk: 117, partition: 1 },
    ]),
  );
});

it('finds every chunk that has the same mass payout', async () => {
  await insertChunks(db, [{ batchId: 'copy', chunk: 0, massPayoutId: 'mass-1' }]);
  expect(await routes.find(['mass-1'])).toHaveLength(2);
});

it('finds thousands of ids', async () => {
  const unknown = Array.from({ length: 2_500 }, (_, i) => `batch-${i}/${i}/0`);
  const found = await routes.find([...unknown, 'mass-0']);
  expect(found).toEqual([{ id: 'mass-0', batchId: 'payroll', chunk: 0, partition: 0 }]);
});
