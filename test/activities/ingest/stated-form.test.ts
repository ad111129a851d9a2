import { expect, it } from '@jest/globals';
import { PLAIN_FORM } from '../../../src/domain/rows/file-form.ts';
import { PEOPLE } from '../../support/history-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { endOf, planFile } from '../support/plan-file.ts';

it('a worker reads the file as its submitter stated, and refuses it without the statement', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  const rows = [`${PEOPLE[0]},"1,5"`, `${PEOPLE[1]},"2,25"`];
  const form = { ...PLAIN_FORM, decimalComma: true };
  const stated = { options: { form } };
  expect(endOf(await planFile({ store, folder }, { batchId: 'stated', rows }, stated))).toBe(
    'planned',
  );
  const batch = await store.batches.find('stated');
  expect(batch?.summary?.currencies).toMatchObject([{ currency: 'TRX', total: '3.75' }]);
  expect(endOf(await planFile({ store, folder }, { batchId: 'plain', rows }))).toMatch(
    /^FILE_ROWS_REFUSED/,
  );
  await store.close();
});
