import { expect, it } from '@jest/globals';
import { keepOpen } from '../../src/operations/keep-open.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';

it('a snapshot leaves the store to other operations', async () => {
  const { world } = await payrollWorld(async () => undefined);
  const open = keepOpen(world.open);
  const settings = await open.settings(world);
  const store = await open.store(settings);
  const other = await open.store(settings);
  const batchId = 'payroll';
  const found = await store.snapshot(async (moment) => [
    await other.batches.find(batchId),
    await moment.batches.find(batchId),
  ]);
  expect(found).toMatchObject([{ batchId }, { batchId }]);
  await open.close();
}, 20_000);
