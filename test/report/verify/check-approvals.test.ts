import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkApprovals } from '../../../src/report/verify/check-approvals.ts';
import { createProblems } from '../../../src/report/verify/problems.ts';
import type { Store } from '../../../src/store/index.ts';
import { approvalBy, isoOf, NOW_MS, policyOf, setPolicy } from '../../support/approvers.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const RELEASED_MS = NOW_MS + 1_000;

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', 1);
  await change({ released_at_ms: RELEASED_MS });
});
afterEach(() => store.close());

const change = (set: object) => writableDb(store).updateTable('batch').set(set).execute();

const approve = (...names: string[]) =>
  Promise.all(
    names.map((name) =>
      store.approvals.add(approvalBy(name, { batchId: 'b', subject: 'sha256:d' }), NOW_MS),
    ),
  );

async function problemsFound(): Promise<string[]> {
  const problems = createProblems();
  await checkApprovals(
    store,
    { batchId: 'b', found: { checked: [], unchecked: [] }, olderNotes: [] },
    problems,
  );
  return problems.listed().map(({ code }) => code);
}

describe('verify finds that a batch was released', () => {
  it.each([[[]], [['bob']]])(
    'with the signatures of %j alone, when two are required',
    async (names) => {
      await setPolicy(store, 'b', policyOf());
      await approve(...names);
      expect(await problemsFound()).toEqual(['BATCH_NOT_APPROVED']);
    },
  );

  it.each([policyOf(), null])(
    'before the time of its plan, with a policy or without',
    async (policy) => {
      await setPolicy(store, 'b', policy);
      await approve('bob', 'carol');
      expect(await problemsFound()).toEqual([]);
      await change({ options_json: JSON.stringify({ at: isoOf(RELEASED_MS + 1) }) });
      expect(await problemsFound()).toEqual(['BATCH_NOT_APPROVED']);
    },
  );
});

it('verify finds no problem in a batch that was not released', async () => {
  await setPolicy(store, 'b', policyOf());
  await change({ released_at_ms: null });
  expect(await problemsFound()).toEqual([]);
});
