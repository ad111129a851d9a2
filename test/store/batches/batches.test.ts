import { describe, expect, it } from '@jest/globals';
import {
  ACCOUNT,
  contentOf,
  newBatch,
  planNamed,
  stagedChunk,
  summaryOf,
} from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const content = (batchId: string) => contentOf(batchId, 'same');

describe('a batch', () => {
  it('keeps the first record under its id', async () => {
    const store = await openTestStore(temporaryFolder());
    await store.batches.register(newBatch('b', { fileSha256: 'first' }));
    const again = await store.batches.register(newBatch('b', { fileSha256: 'second' }));
    expect(again.fileSha256).toBe('first');
    await store.close();
  });

  it('is not of an account that the store has in other letters', async () => {
    const store = await openTestStore(temporaryFolder());
    const respelled = ACCOUNT.replace('a1', 'A1');
    expect(respelled).not.toBe(ACCOUNT);
    await store.batches.register(newBatch('b'));
    await expect(
      store.batches.register(newBatch('c', { account: respelled })),
    ).rejects.toMatchObject({ code: 'ACCOUNT_SPELLED_OTHERWISE', facts: { known: ACCOUNT } });
    expect(await store.batches.find('c')).toBeUndefined();
    await store.batches.register(newBatch('d', { account: ACCOUNT.replace('a1', 'B1') }));
    await store.close();
  });

  it('with the same rows as another one that may yet be paid has its id, and only the second does', async () => {
    const store = await openTestStore(temporaryFolder());
    await store.batches.register(newBatch('one'));
    await store.batches.register(newBatch('two'));
    const seen: (string | undefined)[] = [];
    const plan = (batchId: string) =>
      store.batches.planOnce(content(batchId), (earlier) => {
        seen.push(earlier?.batchId);
        return planNamed(batchId);
      });
    await Promise.all([plan('one'), plan('two')]);
    expect(seen).toEqual([undefined, 'one']);
    await store.close();
  });

  it('that is planned again keeps its first plan', async () => {
    const store = await openTestStore(temporaryFolder());
    await store.batches.register(newBatch('one'));
    const plan = (digest: string) =>
      store.batches.planOnce(content('one'), () => planNamed(digest));
    await plan('first');
    expect(await plan('second')).toEqual(planNamed('first'));
    await store.close();
  });

  it('does not block its rows when it ended with nothing sent', async () => {
    const store = await openTestStore(temporaryFolder());
    await store.batches.register(newBatch('one'));
    await store.batches.planOnce(content('one'), () => planNamed('d'));
    await store.batches.end('one', { state: 'FAILED', atMs: 5, error: null });
    await store.batches.register(newBatch('two'));
    let earlier: string | undefined = 'not asked';
    await store.batches.planOnce(content('two'), (found) => {
      earlier = found?.batchId;
      return planNamed('d');
    });
    expect(earlier).toBeUndefined();
    await store.close();
  });

  it('ends once: a second end changes nothing', async () => {
    const store = await openTestStore(temporaryFolder());
    await store.batches.register(newBatch('one'));
    await store.batches.end('one', { state: 'PARTIAL', atMs: 5, error: null });
    await store.batches.end('one', { state: 'COMPLETED', atMs: 6, error: null });
    expect(await store.batches.find('one')).toMatchObject({ endState: 'PARTIAL', endedAtMs: 5 });
    await store.close();
  });
});

describe('staging', () => {
  it('publishes one import of a file; another one that ran beside it leaves nothing', async () => {
    const store = await openTestStore(temporaryFolder());
    await store.batches.register(newBatch('b'));
    const readings = [store.staging.begin('b'), store.staging.begin('b')];
    const chunks = [stagedChunk(0, 3), stagedChunk(1, 3)];
    for (const { sink, flush } of readings) {
      for (const chunk of chunks) await sink.putChunk(chunk);
      await flush();
    }
    const [first, second] = readings.map(({ ingestId }) => ingestId);
    expect(await store.staging.publish('b', first ?? '', summaryOf(chunks))).toBe(first);
    expect(await store.staging.publish('b', second ?? '', summaryOf(chunks))).toBe(first);
    expect(await store.staging.heads(first ?? '')).toHaveLength(2);
    expect(await store.staging.heads(second ?? '')).toHaveLength(0);
    expect((await store.staging.rows(first ?? '', 1)).map(({ row }) => row)).toEqual([5, 6, 7]);
    await store.close();
  });

  it('never publishes an import with missing chunks', async () => {
    const store = await openTestStore(temporaryFolder());
    await store.batches.register(newBatch('b'));
    const { ingestId, sink, flush } = store.staging.begin('b');
    await sink.putChunk(stagedChunk(0, 3));
    await flush();
    const summary = summaryOf([stagedChunk(0, 3), stagedChunk(1, 3)]);
    await expect(store.staging.publish('b', ingestId, summary)).rejects.toMatchObject({
      code: 'INTERNAL',
    });
    expect((await store.batches.find('b'))?.ingestId).toBeNull();
    await store.close();
  });

  it('gives refused rows back in order, however many there are', async () => {
    const store = await openTestStore(temporaryFolder());
    const { ingestId, sink } = store.staging.begin('b');
    const refused = Array.from({ length: 1_203 }, (_, i) => ({
      row: i + 2,
      column: 'address' as const,
      code: 'ADDRESS_MISSING' as const,
      facts: {} as never,
      value: '',
    }));
    await sink.putRefused(refused.slice(0, 700));
    await sink.putRefused(refused.slice(700));
    const rows: number[] = [];
    for await (const { row } of store.staging.refused(ingestId)) rows.push(row);
    expect(rows).toEqual(refused.map(({ row }) => row));
    await store.close();
  });
});

describe('a lookup proof', () => {
  it('keeps the longest lag that was ever seen, and stays deleted once it is deleted', async () => {
    const store = await openTestStore(temporaryFolder());
    const proof = { operation: 'MASS_GET', provenAtMs: 1 } as const;
    await store.lookupVerification.save(ACCOUNT, 'http://x', { ...proof, lagMs: 300 });
    await store.lookupVerification.save(ACCOUNT, 'http://x', { ...proof, lagMs: 5 });
    expect((await store.lookupVerification.find(ACCOUNT, 'http://x'))?.lagMs).toBe(300);
    expect(await store.lookupVerification.find(ACCOUNT, 'http://y')).toBeUndefined();
    await store.lookupVerification.noteVerifiedAgain(ACCOUNT, 'http://x', 2);
    const again = { operation: 'MASS_GET', lagMs: 300, provenAtMs: 2 };
    expect(await store.lookupVerification.find(ACCOUNT, 'http://x')).toEqual(again);
    await store.lookupVerification.forget(ACCOUNT, 'http://y');
    expect(await store.lookupVerification.find(ACCOUNT, 'http://x')).toBeDefined();
    await store.lookupVerification.forget(ACCOUNT, 'http://x');
    await store.lookupVerification.noteVerifiedAgain(ACCOUNT, 'http://x', 3);
    expect(await store.lookupVerification.find(ACCOUNT, 'http://x')).toBeUndefined();
    await store.close();
  });
});
