import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PART, PRINT_WORDS } from '../../../src/domain/plan/row-print.ts';
import type { PastBatch } from '../../../src/store/rows/fingerprints.ts';
import type { Store } from '../../../src/store/index.ts';
import { chunkOf, createdChunk, plannedBatch, readBatch } from '../../support/history-fixtures.ts';
import {
  ACCOUNT,
  contentOf,
  newBatch,
  planNamed,
  summaryOf,
} from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

/** What a batch sees of others, as a new one or as one that sends another again. */
const seenBy = (batchId: string, parentBatchId: string | null = null): Promise<PastBatch[]> =>
  store.history.others({ account: ACCOUNT, batchId, parentBatchId });

const idsSeenBy = async (batchId: string, parentBatchId: string | null = null): Promise<string[]> =>
  (await seenBy(batchId, parentBatchId)).map((other) => other.batchId);

/** `row` of each print of the only batch that a new one sees; `row?` of one that may yet be sent. */
async function rowsSeen(): Promise<string[]> {
  const [other, ...more] = await seenBy('new');
  expect(more).toEqual([]);
  const rows: string[] = [];
  for await (const { currency, prints, sent } of other?.segments() ?? []) {
    expect(currency).toBe('TRX');
    for (let at = 0; at < prints.length; at += PRINT_WORDS) {
      rows.push(`${prints[at + PART.number]}${sent ? '' : '?'}`);
    }
  }
  return rows;
}

describe('the fingerprints of an import', () => {
  it('are kept unchanged, in the order of the chunks', async () => {
    const people = Array.from({ length: 150 }, (_, i) => [i % 4, (i + 1) % 4]);
    const ingestId = await readBatch(store, 'b', people);
    const prints: number[] = [];
    for await (const segment of store.history.own(ingestId)) prints.push(...segment.prints);
    expect(prints).toEqual(
      people.flatMap((each, i) => [...chunkOf(i, each, 2 + i * each.length).prints]),
    );
  });

  it('are committed with its chunks, and deleted with an unpublished import', async () => {
    await store.batches.register(newBatch('b'));
    const [first, second] = [store.staging.begin('b'), store.staging.begin('b')];
    for (const { sink, flush } of [first, second]) {
      await sink.putChunk(chunkOf(0, [0, 1]));
      await flush();
    }
    await store.staging.publish('b', first.ingestId, summaryOf([chunkOf(0, [0, 1])]));
    const kept = () =>
      writableDb(store).selectFrom('row_fingerprint').select('ingest_id').execute();
    expect(await kept()).toEqual([{ ingest_id: first.ingestId }]);
    await store.staging.discard(first.ingestId);
    expect(await kept()).toEqual([]);
  });

  it('are as many as its chunks, or the import is not published', async () => {
    await store.batches.register(newBatch('b'));
    const { ingestId, sink, flush } = store.staging.begin('b');
    const chunks = [chunkOf(0, [0]), chunkOf(1, [1], 3)];
    for (const chunk of chunks) await sink.putChunk(chunk);
    await flush();
    await writableDb(store).deleteFrom('row_fingerprint').where('chunk', '=', 1).execute();
    await expect(store.staging.publish('b', ingestId, summaryOf(chunks))).rejects.toMatchObject({
      code: 'INTERNAL',
    });
  });
});

describe('the other batches that a batch is compared with', () => {
  it('are those of its account that were planned, the newest first, and not itself', async () => {
    await plannedBatch(store, 'old', [[0]], { submittedAtMs: 1_000 });
    await readBatch(store, 'new', [[0]], { submittedAtMs: 3_000 });
    await plannedBatch(store, 'middle', [[0, 1], [2]], { submittedAtMs: 2_000 });
    await plannedBatch(store, 'stranger', [[0]], { account: 'another' });
    await store.batches.register(newBatch('unread'));
    expect(await seenBy('new')).toMatchObject([
      { batchId: 'middle', rows: 3, payAtMs: 2_000 },
      { batchId: 'old', rows: 1, payAtMs: 1_000 },
    ]);
  });

  it('count from their plan on: of two that come at once the one that is planned first does not see the other', async () => {
    await Promise.all([readBatch(store, 'one', [[0]]), readBatch(store, 'two', [[0]])]);
    expect([await idsSeenBy('one'), await idsSeenBy('two')]).toEqual([[], []]);
    await store.batches.planOnce(contentOf('one'), (_earlier, others) => {
      expect(others).toEqual([]);
      return planNamed('one');
    });
    expect([await idsSeenBy('one'), await idsSeenBy('two')]).toEqual([[], ['one']]);
    // Its findings were made before: it is planned only once they are made again.
    const unplanned = await store.batches.planOnce(contentOf('two'), (_earlier, others) =>
      others.includes('one') ? undefined : planNamed('two'),
    );
    expect([unplanned, (await store.batches.find('two'))?.digest]).toEqual([undefined, null]);
  });

  it('are not those that ended with nothing sent', async () => {
    await plannedBatch(store, 'refused', [[0]]);
    await store.chunks.closeUnsent('refused', 'no');
    await store.batches.end('refused', { state: 'REJECTED', atMs: 1, error: null });
    await readBatch(store, 'never-planned', [[0]]);
    await store.batches.end('never-planned', { state: 'CANCELED', atMs: 1, error: null });
    await plannedBatch(store, 'paid', [[0]]);
    await createdChunk(store, { batchId: 'paid', chunk: 0 }, { rest: 'PAID' });
    await store.batches.end('paid', { state: 'COMPLETED', atMs: 1, error: null });
    expect(await idsSeenBy('new')).toEqual(['paid']);
  });

  it('are not those of its own lineage, up and down', async () => {
    await plannedBatch(store, 'first', [[0]]);
    await plannedBatch(store, 'second', [[0]], { parentBatchId: 'first' });
    await plannedBatch(store, 'third', [[0]], { parentBatchId: 'second' });
    await plannedBatch(store, 'other', [[0]]);
    expect(await idsSeenBy('first')).toEqual(['other']);
    expect(await idsSeenBy('second', 'first')).toEqual(['other']);
    expect(await idsSeenBy('third', 'second')).toEqual(['other']);
    expect(await idsSeenBy('not written down yet', 'third')).toEqual(['other']);
    expect(await idsSeenBy('other')).toHaveLength(3);
  });

  it.each<[string, object, number | null, number]>([
    ['when it was submitted', {}, null, 1_000],
    ['its due time', { at: '2026-12-01T09:00:00Z' }, null, Date.UTC(2026, 11, 1, 9)],
    ['when it was let go', { at: '2026-12-01T09:00:00Z' }, 7_000, 7_000],
    [
      'the date on which the service pays',
      { executionDate: '2026-12-01T10:00:00+01:00' },
      7_000,
      Date.UTC(2026, 11, 1, 9),
    ],
  ])('pay at %s', async (_what, options, releasedAtMs, payAtMs) => {
    await plannedBatch(store, 'other', [[0]], {
      optionsJson: JSON.stringify(options),
      submittedAtMs: 1_000,
    });
    await writableDb(store).updateTable('batch').set({ released_at_ms: releasedAtMs }).execute();
    expect(await seenBy('new')).toMatchObject([{ payAtMs }]);
  });
});

describe('the rows of another batch', () => {
  it('may yet be paid as long as nothing of it was sent', async () => {
    await plannedBatch(store, 'other', [[0, 1]]);
    expect(await rowsSeen()).toEqual(['2?', '3?']);
  });

  it('count by chunk: sent, waiting, and never to be sent', async () => {
    await plannedBatch(store, 'other', [[0], [1], [2], [3]]);
    await createdChunk(store, { batchId: 'other', chunk: 0 }, { rest: 'PAID' });
    for (const [chunk, state] of [
      [2, 'NOT_SENT'],
      [3, 'NEEDS_OPERATOR'],
    ] as const) {
      await writableDb(store)
        .updateTable('chunk')
        .set({ state })
        .where('chunk', '=', chunk)
        .execute();
    }
    expect(await rowsSeen()).toEqual(['2', '3?', '5']);
  });

  it.each(['REJECTED', 'NOT_SENT'])('do not count in a chunk that is %s', async (state) => {
    await plannedBatch(store, 'other', [[0], [1]]);
    await writableDb(store).updateTable('chunk').set({ state }).where('chunk', '=', 0).execute();
    expect(await rowsSeen()).toEqual(['3?']);
  });

  it('do not count once they failed for good', async () => {
    await plannedBatch(store, 'other', [[0, 1, 2, 3], [0, 1, 2], [0]]);
    await createdChunk(
      store,
      { batchId: 'other', chunk: 0 },
      { rest: 'PAID', rows: { 3: 'FAILED', 4: 'UNKNOWN', 5: 'NOT_SENT' } },
    );
    await createdChunk(
      store,
      { batchId: 'other', chunk: 1 },
      { rest: 'FAILED', rows: { 7: 'UNKNOWN' } },
    );
    await createdChunk(store, { batchId: 'other', chunk: 2 }, { rest: 'FAILED' });
    expect(await rowsSeen()).toEqual(['2', '4', '7']);
  });

  it('count as long as their failure may still change', async () => {
    await plannedBatch(store, 'other', [[0, 1]]);
    await createdChunk(store, { batchId: 'other', chunk: 0 }, { rest: 'FAILED', final: false });
    expect(await rowsSeen()).toEqual(['2', '3']);
  });

  it('are read in pages, for any number of chunks', async () => {
    const people = Array.from({ length: 200 }, () => [0, 1]);
    await plannedBatch(store, 'other', people);
    expect((await rowsSeen()).length).toBe(400);
  });
});

describe('a batch with the same rows', () => {
  const earlierOf = async (
    batchId: string,
    content: Readonly<{ contentSha256: string; rowSet: string }>,
    parentBatchId: string | null = null,
  ): Promise<string | undefined> => {
    let earlier: string | undefined;
    const batch = { ...contentOf(batchId), ...content, parentBatchId };
    const asked = (await store.batches.sameContent(batch))?.batchId;
    await store.batches.planOnce(batch, (found) => {
      earlier = found?.batchId;
      return planNamed(batchId);
    });
    expect(asked).toBe(earlier);
    return earlier;
  };

  it('is found in another order', async () => {
    await readBatch(store, 'one', [[0, 1]]);
    await readBatch(store, 'two', [[1, 0]]);
    await readBatch(store, 'three', [[1, 2]]);
    expect(await earlierOf('one', { contentSha256: 'ab', rowSet: 'set' })).toBeUndefined();
    expect(await earlierOf('two', { contentSha256: 'ba', rowSet: 'set' })).toBe('one');
    expect(await earlierOf('three', { contentSha256: 'bc', rowSet: 'other' })).toBeUndefined();
  });

  it('is none when it is sent again', async () => {
    await readBatch(store, 'one', [[0]]);
    await readBatch(store, 'again', [[0]], { parentBatchId: 'one' });
    const content = { contentSha256: 'a', rowSet: 'a' };
    expect(await earlierOf('one', content)).toBeUndefined();
    expect(await earlierOf('again', content, 'one')).toBeUndefined();
  });
});

it('the rules of a plan are kept with it', async () => {
  await store.batches.register(newBatch('b'));
  const rules = { historyDays: 3 } as never;
  await store.batches.planOnce(contentOf('b'), () => ({ ...planNamed('d'), rules }));
  expect((await store.batches.find('b'))?.rules).toEqual(rules);
  expect(await store.batches.planOnce(contentOf('b'), () => planNamed('e'))).toEqual({
    ...planNamed('d'),
    rules,
  });
});

describe('the wallets of an account', () => {
  it('are those that were listed last', async () => {
    const { ownWallets } = store;
    expect(await ownWallets.list(ACCOUNT)).toEqual([]);
    await ownWallets.replace(ACCOUNT, ['b', 'a', 'b'], 1);
    await ownWallets.replace('another', ['x'], 1);
    expect(await ownWallets.list(ACCOUNT)).toEqual(['a', 'b']);
    await ownWallets.replace(ACCOUNT, ['c'], 2);
    expect([await ownWallets.list(ACCOUNT), await ownWallets.list('another')]).toEqual([
      ['c'],
      ['x'],
    ]);
    await ownWallets.replace(ACCOUNT, [], 3);
    expect(await ownWallets.list(ACCOUNT)).toEqual([]);
  });

  it('are forgotten by a list that does not have them, unless they came after it was begun', async () => {
    const { ownWallets } = store;
    await ownWallets.add(ACCOUNT, 'old', 1);
    await ownWallets.add(ACCOUNT, 'new', 5);
    await ownWallets.add(ACCOUNT, 'new', 6);
    await ownWallets.replace(ACCOUNT, ['listed'], 5);
    expect(await ownWallets.list(ACCOUNT)).toEqual(['listed', 'new']);
    expect(await ownWallets.lastListed(ACCOUNT)).toMatchObject({ seenAtMs: 5, detail: '1 known' });
    await ownWallets.replace(ACCOUNT, ['listed', 'new'], 7);
    expect(await ownWallets.list(ACCOUNT)).toEqual(['listed', 'new']);
  });

  it('may be many', async () => {
    const many = Array.from({ length: 1_234 }, (_, i) => `wallet-${String(i).padStart(4, '0')}`);
    await store.ownWallets.replace(ACCOUNT, many, 1);
    expect(await store.ownWallets.list(ACCOUNT)).toEqual(many);
  });
});
