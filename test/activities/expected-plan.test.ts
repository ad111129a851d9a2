import { describe, expect, it } from '@jest/globals';
import { planBatch } from '../../src/activities/plan.ts';
import type { BatchInput, BatchOptions } from '../../src/contract/batch.ts';
import { partsOf, planFacts } from '../../src/domain/plan/digest.ts';
import type { ExpectedPlan } from '../../src/domain/plan/expected-plan.ts';
import type { HouseRules } from '../../src/domain/plan/rules.ts';
import type { IngestSummary } from '../../src/domain/rows/staging.ts';
import type { Store } from '../../src/store/store.ts';
import { RULES } from '../domain/plan/support/house-rules.ts';
import {
  ACCOUNT,
  newBatch,
  openTestStore,
  stagedChunk,
  summaryOf,
} from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const OPTIONS: BatchOptions = {
  ...{ chunkRows: 2, chunksInFlight: 1, rowTag: 'append', currency: null, skipInvalid: false },
  ...{ expectCount: null, expectTotals: [], accept: [], at: null, executionDate: null },
  ...{
    expectedDigest: null,
    canaryRows: 0,
    stopLoss: [],
    fundsWaitMs: null,
    beforeScheduled: false,
  },
  ...{ pollMinMs: 100, pollMaxMs: 1_000 },
};

const CHUNKS = [stagedChunk(0, 2), stagedChunk(1, 2)];

const inputWith = (expectedDigest: ExpectedPlan | null): BatchInput => ({
  batchId: 'b',
  accountRef: 'main',
  file: { name: 'payroll.csv', sha256: 'f' },
  options: { ...OPTIONS, expectedDigest },
  submittedBy: 'tester',
  submittedAt: '2026-11-21T09:00:00.000Z',
  generation: 0,
  parentBatchId: null,
});

/** A store in which the file of the batch was read. */
async function storeWithReading(more: Partial<IngestSummary> = {}): Promise<Store> {
  const store = await openTestStore(temporaryFolder());
  await store.batches.register(newBatch('b'));
  const { ingestId, sink, flush } = store.staging.begin('b');
  for (const chunk of CHUNKS) await sink.putChunk(chunk);
  await flush();
  await store.staging.publish('b', ingestId, summaryOf(CHUNKS, more));
  return store;
}

const expectedWith = async (rules: HouseRules): Promise<ExpectedPlan> => {
  const store = await storeWithReading();
  const { digest } = await planBatch({ store, rules }, inputWith(null));
  await store.close();
  const facts = planFacts({
    batch: { account: ACCOUNT, batchId: 'b', generation: 0 },
    summary: summaryOf(CHUNKS),
    options: OPTIONS,
    findings: [],
    rules,
    chunks: CHUNKS,
  });
  return { digest, parts: partsOf(facts) };
};

describe('a worker', () => {
  it('carries out the plan that was confirmed, and tells its digest', async () => {
    const expected = await expectedWith(RULES);
    const store = await storeWithReading();
    const planned = await planBatch({ store, rules: RULES }, inputWith(expected));
    expect(planned).toMatchObject({ digest: expected.digest, chunks: 2 });
    expect(await store.chunks.list('b')).toHaveLength(2);
    await store.close();
  });

  it('refuses any other one, names what differs, and plans nothing, however often it is asked', async () => {
    const expected = await expectedWith(RULES);
    const store = await storeWithReading();
    const rules = { ...RULES, historyDays: 90 };
    for (const _ of [1, 2]) {
      await expect(planBatch({ store, rules }, inputWith(expected))).rejects.toMatchObject({
        code: 'PLAN_CHANGED',
        facts: { plan: expected.digest, changes: 'the rules for findings' },
      });
      expect(await store.chunks.list('b')).toEqual([]);
      expect(await store.batches.find('b')).toMatchObject({ digest: null });
    }
    await store.close();
  });

  it('keeps to a plan that it made before its settings changed', async () => {
    const expected = await expectedWith(RULES);
    const store = await storeWithReading();
    await planBatch({ store, rules: RULES }, inputWith(expected));
    const rules = { ...RULES, historyDays: 90 };
    const planned = await planBatch({ store, rules }, inputWith(expected));
    expect(planned.digest).toBe(expected.digest);
    await store.close();
  });

  it('does not believe a file that is not what it says of itself', async () => {
    const store = await storeWithReading({ controlTotals: { expectCount: 5, expectTotals: [] } });
    await expect(planBatch({ store, rules: RULES }, inputWith(null))).rejects.toMatchObject({
      code: 'CONTROL_TOTAL_COUNT',
      facts: { expected: '5', found: '4', says: 'its control line' },
    });
    await store.close();
  });
});
