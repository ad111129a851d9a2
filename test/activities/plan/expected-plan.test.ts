import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { planBatch } from '../../../src/activities/plan/plan.ts';
import type { Planned } from '../../../src/contract/activities.ts';
import type { BatchInput, BatchOptions } from '../../../src/contract/batch.ts';
import { partsOf, planFacts } from '../../../src/domain/plan/digest.ts';
import type { ExpectedPlan, SeenNote } from '../../../src/domain/plan/expected-plan.ts';
import type { HouseRules } from '../../../src/domain/plan/rules.ts';
import { ingestFile } from '../../../src/ingest/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { address, csv } from '../../cli/support/files.ts';
import { RULES } from '../../domain/plan/support/house-rules.ts';
import { fakeService, refused, walletsAt } from '../../support/fake-service.ts';
import { payEarlier } from '../../support/history-fixtures.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const OPTIONS: BatchOptions = {
  chunkRows: 2,
  chunksInFlight: 1,
  rowTag: 'append',
  currency: null,
  skipInvalid: false,
  expectCount: null,
  expectTotals: [],
  accept: [],
  at: null,
  executionDate: null,
  expectedDigest: null,
  canaryRows: 0,
  stopLoss: [],
  fundsWaitMs: null,
  beforeScheduled: false,
  pollMinMs: 100,
  pollMaxMs: 1_000,
};

const FILE = csv(...[1, 2, 3, 4].map((n) => `${address(n)},${n},USDT_TRC20`));

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
async function storeWithReading(text = FILE): Promise<Store> {
  const folder = temporaryFolder();
  const path = join(folder, 'payroll.csv');
  writeFileSync(path, text);
  const store = await openTestStore(folder);
  await store.batches.register(newBatch('b'));
  const { ingestId, sink, flush } = store.staging.begin('b');
  const summary = await ingestFile({ name: 'payroll.csv', path }, { chunkRows: 2 }, sink);
  await flush();
  await store.staging.publish('b', ingestId, summary);
  return store;
}

/** The wallets of the account, and the notes of the confirmed plan. */
type Seen = Readonly<{ wallets?: readonly string[]; notes?: readonly SeenNote[] }>;

/** Plans as the activity does. */
const plan = (
  store: Store,
  rules: HouseRules,
  expected: ExpectedPlan | null,
  { wallets = [], notes = [] }: Seen = {},
): Promise<Planned> => {
  const calls = {
    eachWallet: walletsAt(...wallets),
    readMassPayout: () => Promise.reject(refused(404)),
  };
  const service = fakeService(calls, ['LOOKUP']);
  const options_json = JSON.stringify(inputWith(expected).options);
  return asActivity().run(async () => {
    // The options are those that were submitted.
    await writableDb(store).updateTable('batch').set({ options_json }).execute();
    const input = { ...inputWith(expected), seenNotes: notes };
    return planBatch({ store, service, rules, nowMs: () => 0 }, input);
  }) as Promise<Planned>;
};

/** The plan that a worker makes of the file, as somebody who saw it would confirm it. */
async function confirmedPlan(): Promise<ExpectedPlan> {
  const store = await storeWithReading();
  const { digest } = await plan(store, RULES, null);
  const batch = await store.batches.find('b');
  if (batch === undefined || batch.summary === null || batch.ingestId === null) {
    throw new Error('the batch was not planned');
  }
  const { summary, findings, rules } = batch;
  const chunks = await store.staging.heads(batch.ingestId);
  await store.close();
  const sources = { batch, summary, options: OPTIONS, findings, rules: rules ?? RULES, chunks };
  return { digest, parts: partsOf(planFacts(sources)) };
}

describe('a worker', () => {
  it('carries out the confirmed plan, and returns its digest', async () => {
    const expected = await confirmedPlan();
    const store = await storeWithReading();
    expect(await plan(store, RULES, expected)).toMatchObject({
      digest: expected.digest,
      chunks: 2,
    });
    expect(await store.chunks.list('b')).toHaveLength(2);
    await store.close();
  });

  it('refuses any other plan at each try, names the differences, and plans nothing', async () => {
    const expected = await confirmedPlan();
    const store = await storeWithReading();
    const rules = { ...RULES, historyDays: 90 };
    for (const _ of [1, 2]) {
      await expect(plan(store, rules, expected)).rejects.toMatchObject({
        code: 'PLAN_CHANGED',
        facts: { plan: expected.digest, changes: 'the rules for findings' },
      });
      expect(await store.chunks.list('b')).toEqual([]);
      expect(await store.batches.find('b')).toMatchObject({ digest: null });
    }
    await store.close();
  });

  it('refuses it when one of its addresses has become a wallet of the account', async () => {
    const expected = await confirmedPlan();
    const store = await storeWithReading();
    const wallets = [address(2)];
    await expect(plan(store, RULES, expected, { wallets })).rejects.toMatchObject({
      code: 'PLAN_CHANGED',
      facts: { changes: expect.stringMatching(/^the findings \(now .*OWN_ADDRESS 1/) },
    });
    await store.close();
  });

  /** Another batch has paid the first address, with another amount. */
  const paidMeanwhile = (store: Store): Promise<void> =>
    payEarlier(store, 'earlier', [{ address: address(1), currency: 'USDT_TRC20' }]);

  it('carries the confirmed plan out when an earlier batch has made a note needless', async () => {
    const expected = await confirmedPlan();
    const store = await storeWithReading();
    await paidMeanwhile(store);
    const notes = [{ code: 'FIRST_TIME_PAYEE', count: 4, rows: [5, 4, 3, 2] }] as const;
    expect(await plan(store, RULES, expected, { notes })).toMatchObject({
      digest: expected.digest,
    });
    expect(await store.batches.find('b')).toMatchObject({
      digest: expected.digest,
      findings: [{ code: 'FIRST_TIME_PAYEE', count: 4 }],
    });
    await store.close();
  });

  it('refuses it then where the notes of the confirmed plan are not known, or had no such row', async () => {
    const expected = await confirmedPlan();
    const fewer = [{ code: 'FIRST_TIME_PAYEE', count: 2, rows: [5, 4] }] as const;
    for (const notes of [[], fewer]) {
      const store = await storeWithReading();
      await paidMeanwhile(store);
      await expect(plan(store, RULES, expected, { notes })).rejects.toMatchObject({
        code: 'PLAN_CHANGED',
        facts: { changes: 'the findings (now FIRST_TIME_PAYEE 3)' },
      });
      await store.close();
    }
  });

  it('keeps to a plan that it made before its settings changed', async () => {
    const expected = await confirmedPlan();
    const store = await storeWithReading();
    await plan(store, RULES, expected);
    const { digest } = await plan(store, { ...RULES, historyDays: 90 }, expected);
    expect(digest).toBe(expected.digest);
    await store.close();
  });

  it('refuses a file that differs from its own control totals', async () => {
    const store = await storeWithReading(`# rows=5\n${FILE}`);
    await expect(plan(store, RULES, null)).rejects.toMatchObject({
      code: 'CONTROL_TOTAL_COUNT',
      facts: { expected: '5', found: '4', says: 'its control line' },
    });
    await store.close();
  });
});
