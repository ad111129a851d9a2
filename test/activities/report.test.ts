import { expect, it } from '@jest/globals';
import { createReportActivities } from '../../src/activities/report.ts';
import { openTestStore, planBatch } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { asActivity } from './support/as-activity.ts';

it('a batch does not end while rows of it may still be sent', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  await planBatch(store, 'b', 2);
  const checkBalance = () => Promise.reject(new Error('rows are still open'));
  const deps = { store, reportDir: folder, nowMs: () => 1, checkBalance };
  const { reportBatch } = createReportActivities(deps);
  const input = { batchId: 'b', unsentReason: null, canceled: false, error: null };
  await expect(asActivity().run(reportBatch, input)).rejects.toThrow('4 rows are still open');
  expect((await store.batches.find('b'))?.endState).toBeNull();
  await store.close();
});
