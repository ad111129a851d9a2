import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer, MassPayout, Reference } from '@bursar/merchant-api';
import type { Store } from '../../../src/store/index.ts';
import { ON_THEIR_WAY_MS } from '../../../src/domain/restore/beginning.ts';
import { answer, failed, refused } from '../../support/fake-service.ts';
import { PEOPLE } from '../../support/history-fixtures.ts';
import { ACCOUNT, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { endOf, type Job, planFile } from '../support/plan-file.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
});
afterEach(() => store.close());

/** After the batch was submitted. */
const RESTORED_MS = Date.parse('2026-11-21T13:00:00Z');
const bringBack = () => store.restores.raise({ atMs: RESTORED_MS, reason: '' });

const BASE_URL = 'http://service';
const MAY_HAVE_BEGUN = { type: 'BATCH_MAY_HAVE_BEGUN', nonRetryable: false };

const saveProof = () =>
  store.lookupVerification.save(ACCOUNT, BASE_URL, {
    operation: 'MASS_GET',
    lagMs: 0,
    provenAtMs: 1,
  });

/** Another batch, which the service has accepted: whether lookups find it tells what a miss is worth. Answers with its key. */
async function paidBefore(): Promise<string> {
  await planBatch(store, 'old', 1);
  const { idempotencyKey } = await store.chunks.get('old', 0);
  const found = { id: 'old', state: 'COMPLETED', fee: null, differences: [] };
  await store.sends.setPayout({ batchId: 'old', chunk: 0, idempotencyKey }, found);
  await saveProof();
  return idempotencyKey;
}

describe('a plan that is made again after the store was brought back from an older copy', () => {
  const PAYOUT = { id: 'mp', state: 'COMPLETED', withdrawalErrors: [], unreadableParts: [] };
  const ROWS = [`${PEOPLE[0]},1.5`];

  /** Plans the rows; `found`: what the service says of the first chunk. */
  const again = (found: (asked: Reference) => Promise<Answer<MassPayout>>, job: Job = {}) =>
    planFile({ store, folder }, { batchId: 'b', rows: ROWS }, { ...job, found });

  it('reads from the service that the batch has begun, and adopts its first chunk', async () => {
    await bringBack();
    const outcome = await again(async () => answer(PAYOUT));
    // Its only chunk is found, so nothing is left to verify.
    expect(outcome).toMatchObject({ kind: 'planned', begun: true, restored: false });
    expect(await store.chunks.get('b', 0)).toMatchObject({ state: 'CREATED', massPayoutId: 'mp' });
  });

  it('needs no second acceptance of findings that were accepted before anything was sent', async () => {
    await bringBack();
    const rules: Job['rules'] = { findings: { confirm: ['FIRST_TIME_PAYEE'], block: [] } };
    const unknown = async () => Promise.reject(refused(404));
    await expect(again(unknown, { rules })).rejects.toMatchObject(MAY_HAVE_BEGUN);
    expect(endOf(await again(async () => answer(PAYOUT), { rules }))).toBe('planned');
  });

  it('is refused when nothing can arrive any more and lookups find other mass payouts that exist, and not before', async () => {
    await bringBack();
    const rules: Job['rules'] = { findings: { confirm: ['FIRST_TIME_PAYEE'], block: [] } };
    const witness = await paidBefore();
    const seen = async (asked: Reference) =>
      'idempotencyKey' in asked && asked.idempotencyKey === witness
        ? answer({ ...PAYOUT, id: 'old' })
        : Promise.reject(refused(404));
    const early = { rules, nowMs: RESTORED_MS + ON_THEIR_WAY_MS };
    await expect(again(seen, early)).rejects.toMatchObject(MAY_HAVE_BEGUN);
    const late = { rules, nowMs: RESTORED_MS + ON_THEIR_WAY_MS + 1 };
    const blind = async () => Promise.reject(refused(404));
    await expect(again(blind, late)).rejects.toMatchObject(MAY_HAVE_BEGUN);
    await saveProof();
    expect(endOf(await again(seen, late))).toContain('FIRST_TIME_PAYEE');
  });

  it('of a batch that was submitted again under a forgotten id has begun', async () => {
    await bringBack();
    const submittedAt = new Date(RESTORED_MS + ON_THEIR_WAY_MS + 1).toISOString();
    const nowMs = RESTORED_MS + ON_THEIR_WAY_MS + 2;
    const outcome = await again(async () => answer(PAYOUT), { submittedAt, nowMs });
    expect(outcome).toMatchObject({ begun: true, restored: false });
  });

  it('that is new is refused as usual, long after', async () => {
    await bringBack();
    const submittedAt = new Date(RESTORED_MS + ON_THEIR_WAY_MS + 1).toISOString();
    const rules: Job['rules'] = { findings: { confirm: ['FIRST_TIME_PAYEE'], block: [] } };
    const unknown = async () => Promise.reject(refused(404));
    expect(endOf(await again(unknown, { rules, submittedAt }))).toContain('FIRST_TIME_PAYEE');
  });

  it('has not begun where the service does not have the first chunk', async () => {
    await bringBack();
    const outcome = await again(async () => Promise.reject(refused(404)));
    expect(outcome).toMatchObject({ begun: false, restored: true });
  });

  it('waits where the service does not answer', async () => {
    await bringBack();
    await expect(again(async () => Promise.reject(failed('no-answer')))).rejects.toMatchObject({
      type: 'SERVICE_UNREACHABLE',
      nonRetryable: false,
    });
  });
});

/** The hash of `{}`. */
const SHA256_OF_PAYLOAD = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

describe('a plan in a copy of the store that no operator declared', () => {
  const PAYOUT = { id: 'mp', state: 'COMPLETED', withdrawalErrors: [], unreadableParts: [] };
  const ROWS = [`${PEOPLE[0]},1.5`];
  const plan = (job: Job = {}) => planFile({ store, folder }, { batchId: 'b', rows: ROWS }, job);
  const named = (asked: Reference): MassPayout => ({
    ...PAYOUT,
    ...('idempotencyKey' in asked ? { idempotencyKey: asked.idempotencyKey } : {}),
  });
  const isOlder = () => store.restores.lastAtMs();

  it('has not begun when the service does not have its first chunk', async () => {
    expect(await plan()).toMatchObject({ begun: false, restored: false });
    expect(await isOlder()).toBeUndefined();
  });

  it('finds at the service a chunk that the store never sent, holds the batch, and goes on by approval', async () => {
    const outcome = await plan({
      found: async (asked) => answer(named(asked)),
      nowMs: RESTORED_MS,
    });
    expect(outcome).toMatchObject({ begun: true, restored: false });
    expect(await store.chunks.get('b', 0)).toMatchObject({ state: 'CREATED', massPayoutId: 'mp' });
    expect(await store.holds.open('b')).toMatchObject([{ kind: 'PAUSE', by: 'Bursar' }]);
    expect(await isOlder()).toBe(RESTORED_MS);
  });

  it('ignores a record that does not name the key, since it may be of another chunk', async () => {
    const outcome = await plan({ found: async () => answer(PAYOUT) });
    expect(outcome).toMatchObject({ begun: false, restored: false });
  });

  it('ignores a chunk that a former run of the batch has sent meanwhile', async () => {
    await plan();
    await store.batches.release('b', RESTORED_MS);
    const { idempotencyKey } = await store.chunks.get('b', 0);
    const ref = { batchId: 'b', chunk: 0, idempotencyKey };
    const intent = { payload: '{}', payloadSha256: SHA256_OF_PAYLOAD };
    const attempt = { n: 1, timestampMs: RESTORED_MS, bodySha256: 'b', intent };
    const outcome = await plan({
      found: async (asked) => {
        await store.sends.beginAttempt(ref, attempt);
        return answer(named(asked));
      },
    });
    expect(outcome).toMatchObject({ restored: false });
    expect(await store.holds.open('b')).toEqual([]);
    expect(await isOlder()).toBeUndefined();
  });

  it('finds such a chunk in the middle, after chunks that the store has', async () => {
    const rows = [...ROWS, `${PEOPLE[1]},2.5`];
    const options = { chunkRows: 1 };
    await planFile({ store, folder }, { batchId: 'b', rows }, { options });
    const { idempotencyKey } = await store.chunks.get('b', 0);
    const first = { id: 'first', state: 'COMPLETED', fee: null, differences: [] };
    await store.sends.setPayout({ batchId: 'b', chunk: 0, idempotencyKey }, first);
    expect(await isOlder()).toBeUndefined();
    const found = async (asked: Reference) =>
      'idempotencyKey' in asked && asked.idempotencyKey !== idempotencyKey
        ? answer(named(asked))
        : Promise.reject(refused(404));
    const outcome = await planFile({ store, folder }, { batchId: 'b', rows }, { options, found });
    expect(outcome).toMatchObject({ begun: true, restored: true });
    expect(await store.holds.open('b')).toMatchObject([{ kind: 'PAUSE', by: 'Bursar' }]);
  });

  it('is made without an answer only where it never existed before', async () => {
    const silent = async () => Promise.reject(failed('no-answer'));
    expect(await plan({ found: silent })).toMatchObject({ kind: 'planned', restored: false });
    await expect(plan({ found: silent })).rejects.toMatchObject({
      type: 'SERVICE_UNREACHABLE',
      nonRetryable: false,
    });
  });
});
