import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createPlanSeal, type PlanSeal } from '../../../src/activities/plan/plan-integrity.ts';
import { digestOf, planFacts } from '../../../src/domain/plan/digest.ts';
import type { HouseRules } from '../../../src/domain/plan/rules.ts';
import type { Schema } from '../../../src/store/database/schema.ts';
import type { Store } from '../../../src/store/index.ts';
import { policyOf } from '../../support/approvers.ts';
import { planBatch, stagedChunk } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const RULES: HouseRules = {
  approval: policyOf(),
  findings: { confirm: [], block: [] },
  historyDays: 25,
  limits: { row: [], batch: [], day: [], payee: [] },
  fees: { driftMaxPercent: null, shareMaxPercent: null, totalMax: [] },
};
const OPTIONS = {
  currency: null,
  at: null,
  executionDate: null,
  fundsWaitMs: null,
  beforeScheduled: false,
  skipInvalid: false,
  expectCount: null,
  expectTotals: [],
  rowTag: 'off',
  canaryRows: 0,
  stopLoss: [],
  accept: [],
};

let store: Store;
let seal: PlanSeal;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  seal = createPlanSeal(store);
  await planBatch(store, 'b', 2);
  const batch = await store.batches.find('b');
  if (!batch?.summary || batch.ingestId === null) throw new Error('no such batch');
  const { summary, findings, ingestId } = batch;
  const chunks = await store.staging.heads(ingestId);
  const facts = { batch, summary, findings, chunks, options: OPTIONS, rules: RULES };
  await setBatch({
    digest: digestOf(planFacts(facts)),
    options_json: JSON.stringify(OPTIONS),
    rules_json: JSON.stringify(RULES),
  });
});
afterEach(() => store.close());

const setBatch = (set: Partial<Schema['batch']>) =>
  writableDb(store).updateTable('batch').set(set).where('batch_id', '=', 'b').execute();

const setStaged = (set: Partial<Schema['staged_chunk']>) =>
  writableDb(store).updateTable('staged_chunk').set(set).where('chunk', '=', 1).execute();

const setChunk = (set: Partial<Schema['chunk']>) =>
  writableDb(store).updateTable('chunk').set(set).where('chunk', '=', 1).execute();

const isWhole = async (chunk = 1): Promise<boolean> => {
  const facts = await store.batches.facts('b');
  const rows = await store.staging.stagedRows(facts.ingestId, chunk);
  return seal.isWhole(facts, await store.chunks.get('b', chunk), rows);
};

/** The rows of a chunk, one of which is to be paid to somebody else. */
const OTHER = {
  rows: stagedChunk(1, 2).rows.replace('address-4', 'address-x'),
  rows_sha256: stagedChunk(1, 2, '2').rowsSha256,
};

it('a plan is the approved one, and stays so after its release', async () => {
  expect([await isWhole(0), await isWhole(1)]).toEqual([true, true]);
  await setBatch({ released_at_ms: 5 });
  expect(await isWhole()).toBe(true);
});

it.each<[string, () => Promise<unknown>]>([
  ['a row', () => setStaged({ rows: OTHER.rows })],
  ['a row, and the hash of the rows', () => setStaged(OTHER)],
  ['the total of a chunk', () => setChunk({ total: '3' })],
  ['the currency of a chunk', () => setChunk({ currency: 'BTC' })],
  ['the choices', () => setBatch({ options_json: JSON.stringify({ ...OPTIONS, canaryRows: 1 }) })],
  ['the policy', () => setBatch({ rules_json: JSON.stringify({ ...RULES, approval: null }) })],
  ['that there are rules at all', () => setBatch({ rules_json: null })],
  ['the digest', () => setBatch({ digest: 'sha256:e' })],
])(
  'a plan with a change of %s differs from the approved one, before and after its release',
  async (_what, change) => {
    const late = createPlanSeal(store);
    await isWhole();
    await change();
    expect(await isWhole()).toBe(false);
    seal = late;
    expect(await isWhole()).toBe(false);
  },
);
