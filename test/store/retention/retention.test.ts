import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PruneFacts } from '../../../src/domain/retention/prune-rule.ts';
import { wordsOf } from '../../../src/store/rows/words-of.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import type { Schema } from '../../../src/store/database/schema.ts';
import type { Store } from '../../../src/store/index.ts';
import { newBatch, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY_MS = 86_400_000;
const ENDED_MS = 1_800_000_000_000;
const TIMES = { nowMs: ENDED_MS + 500 * DAY_MS, olderThanMs: 400 * DAY_MS, followMs: 0 };
const PRUNE = { root: 'june', by: 'zoe', times: TIMES };

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

/** A batch whose chunks were all paid. */
async function endBatch(chunks: number): Promise<void> {
  await planBatch(store, 'june', chunks);
  await setChunks({ state: 'CREATED', default_outcome: 'PAID', final: 1 });
  await store.batches.end('june', { state: 'COMPLETED', atMs: ENDED_MS, error: null });
}

const setChunks = (columns: Partial<Schema['chunk']>) =>
  writableDb(store).updateTable('chunk').set(columns).execute();

const rowTexts = async (): Promise<string[]> => {
  const rows = await writableDb(store).selectFrom('staged_chunk').select('rows').execute();
  return rows.map((row) => row.rows).filter((text) => text !== '');
};

const NOTHING: Omit<PruneFacts, 'batchId' | 'reportedAtMs'> = {
  openChunks: 0,
  uncertain: 0,
  changeableChunks: 0,
  unreportedChanges: 0,
  disputedChunks: 0,
};

describe('the facts that decide about a prune', () => {
  it.each<[string, Partial<Schema['chunk']>, Partial<PruneFacts>]>([
    ['a settled batch has none that is open', {}, {}],
    ['a chunk that is sent', { state: 'SENDING', final: 0 }, { openChunks: 2 }],
    ['a chunk that waits for a person', { state: 'NEEDS_OPERATOR' }, { openChunks: 2 }],
    ['an unknown default outcome', { default_outcome: 'UNKNOWN' }, { uncertain: 2 }],
    ['an end that people can change', { payout_fingerprint: 'f' }, { changeableChunks: 2 }],
    ['a second mass payout', { other_payouts_json: '["mp"]' }, { disputedChunks: 2 }],
    ['a blocked chunk', { resend_block_json: '{}' }, { disputedChunks: 2 }],
  ])('count %s', async (_, columns, facts) => {
    await endBatch(2);
    if (Object.keys(columns).length > 0) await setChunks(columns);
    const settled = { ...NOTHING, batchId: 'june', reportedAtMs: ENDED_MS };
    expect(await store.retention.facts('june')).toEqual([{ ...settled, ...facts }]);
  });

  it('count single unknown rows, and changes that no report holds', async () => {
    await endBatch(1);
    const outcome = { batch_id: 'june', row: 2, chunk: 0, reason: '', amount: '1' };
    const none = { withdrawal_id: null, transaction_hash: null, fee: null, fee_currency: null };
    await writableDb(store)
      .insertInto('row_outcome')
      .values({ ...outcome, ...none, outcome: 'UNKNOWN' })
      .execute();
    await store.rechecks.noteOnce('june', { kind: 'resent', batchId: 'r1', rows: 1 } as never, 1);
    const [facts] = await store.retention.facts('june');
    expect(facts).toMatchObject({ uncertain: 1, unreportedChanges: 1 });
  });

  it('have the time of the newest report', async () => {
    await endBatch(1);
    const report = { was: 1, version: 2, state: 'COMPLETED', upToSeq: 0 } as const;
    await writableDb(store).updateTable('batch').set({ report_version: 1 }).execute();
    await store.rechecks.publish('june', { ...report, atMs: ENDED_MS + DAY_MS });
    expect(await store.retention.facts('june')).toMatchObject([
      { reportedAtMs: ENDED_MS + DAY_MS },
    ]);
  });

  it('are those of the whole lineage, the oldest batch first', async () => {
    await endBatch(1);
    const { fileSha256 } = (await store.batches.find('june'))!;
    const resend = { parentBatchId: 'june', generation: 1, fileSha256 };
    await store.lineage.registerResend({ ...newBatch('june-r1'), ...resend });
    const facts = await store.retention.facts('june');
    expect(facts.map(({ batchId, reportedAtMs }) => [batchId, reportedAtMs])).toEqual([
      ['june', ENDED_MS],
      ['june-r1', null],
    ]);
    expect(await store.retention.begin(PRUNE)).toEqual({ obstacle: 'OPEN', batchId: 'june-r1' });
  });
});

describe('a prune', () => {
  it('removes the rows of a hundred chunks in one write, and then the next ones', async () => {
    await endBatch(150);
    expect(await store.retention.begin(PRUNE)).toBeNull();
    expect(await store.retention.removeSome('june')).toBe(true);
    expect(await rowTexts()).toHaveLength(50);
    expect(await store.retention.removeSome('june')).toBe(false);
    expect(await rowTexts()).toEqual([]);
  });

  it('removes nothing of a batch that it was not decided for', async () => {
    await endBatch(1);
    expect(await store.retention.removeSome('june')).toBe(false);
    await setChunks({ default_outcome: 'UNKNOWN' });
    expect(await store.retention.begin(PRUNE)).toEqual({
      obstacle: 'UNKNOWN_ROWS',
      batchId: 'june',
    });
    expect(await store.retention.removeSome('june')).toBe(false);
    expect(await rowTexts()).toHaveLength(1);
  });

  it('leaves hash, count and total of each chunk, and reads of its rows are refused', async () => {
    await endBatch(2);
    const { ingestId } = (await store.batches.find('june'))!;
    const before = await store.staging.heads(ingestId!);
    await store.retention.begin(PRUNE);
    await store.retention.removeSome('june');
    expect(await store.staging.heads(ingestId!)).toEqual(before);
    const refused = { code: 'BATCH_PRUNED', facts: { batchId: 'june' } };
    await expect(store.staging.rows(ingestId!, 0)).rejects.toMatchObject(refused);
    await expect(store.staging.stagedRows(ingestId!, 1)).rejects.toMatchObject(refused);
  });

  it('leaves fingerprints, and no hash of a name or a reference', async () => {
    await endBatch(2);
    const db = writableDb(store);
    await db
      .updateTable('row_fingerprint')
      .set({ identities: Buffer.alloc(16, 1) })
      .execute();
    await store.retention.begin(PRUNE);
    await store.retention.removeSome('june');
    const kept = await db
      .selectFrom('row_fingerprint')
      .select(['fingerprints', 'identities'])
      .execute();
    expect(kept.map(({ identities }) => identities && wordsOf(identities).length)).toEqual([0, 0]);
    expect(kept.every(({ fingerprints }) => wordsOf(fingerprints).length > 0)).toBe(true);
  });

  it('is one entry of the audit log, and its end another one', async () => {
    await endBatch(1);
    for (let time = 0; time < 2; time += 1) {
      await store.retention.begin(PRUNE);
      await store.retention.end('june', { by: 'zoe', atMs: TIMES.nowMs });
    }
    const entries = await store.audit.list({ batchId: 'june', limit: 100 });
    const own = entries.filter(({ action }) => action.startsWith('prune'));
    expect(own.map(({ action, actor, facts }) => [action, actor, facts])).toEqual([
      ['prune', 'zoe', { batch: { pruned_at_ms: TIMES.nowMs } }],
      ['prune-files', 'zoe', { batch: { prune_ended_at_ms: TIMES.nowMs } }],
    ]);
    expect(await store.audit.verify()).toMatchObject({ broken: null });
    expect(await store.retention.rootsBefore(TIMES.nowMs)).toEqual([]);
  });

  it('has an end only after its begin', async () => {
    await endBatch(1);
    await store.retention.end('june', { by: 'zoe', atMs: TIMES.nowMs });
    expect(await store.retention.rootsBefore(TIMES.nowMs)).toEqual(['june']);
  });
});
