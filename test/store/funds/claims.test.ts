import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FundsClaim } from '../../../src/domain/funds/claim.ts';
import type { FundsDecision, ClaimQuestion } from '../../../src/store/funds/claims.ts';
import type { Store } from '../../../src/store/index.ts';
import { addPlannedBatch, setChunkState } from '../../support/planned-batch.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OTHER_ACCOUNT = '0x00000000000000000000000000000000000000b2';
const SPAN = { startMs: 1_000, endMs: 2_000 };

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

const claimOf = (batchId: string, account = ACCOUNT) => ({ batchId, account, dueAtMs: null });

/** Adds a batch with two chunks, which asks for its money. */
async function ask(batchId: string, account = ACCOUNT): Promise<void> {
  await addPlannedBatch(store, { batchId, account, chunks: ['5', '7'], fees: { TRX: '0.5' } });
  await store.funds.ask(claimOf(batchId, account), 500);
}

/** Decides about a batch; answers with the claims that the decision saw, and what others were granted. */
async function decide(batchId: string, decision: FundsDecision, more: Partial<ClaimQuestion> = {}) {
  const before = more.before ?? (await store.funds.look(ACCOUNT));
  const about = { batchId, account: ACCOUNT, nowMs: 1_500, before, span: SPAN, ...more };
  return store.funds.decide(about, (claims, granted) => ({ decision, claims, granted }));
}

const names = (claims: readonly FundsClaim[]): string[] => claims.map(({ batchId }) => batchId);
const look = async (): Promise<readonly FundsClaim[]> => (await store.funds.look(ACCOUNT)).claims;
const end = (batchId: string) =>
  store.batches.end(batchId, { state: 'COMPLETED', atMs: 9, error: null });

describe('claims', () => {
  it('keep the order of their first writes, after any repetition', async () => {
    await ask('b');
    await ask('a');
    await store.funds.ask(claimOf('b'), 900);
    expect((await look()).map(({ batchId, askedAtMs }) => [batchId, askedAtMs])).toEqual([
      ['b', 500],
      ['a', 500],
    ]);
  });

  it('of a batch that waits for its time keep its place and its time', async () => {
    await addPlannedBatch(store, { batchId: 'friday', chunks: ['5'] });
    await store.funds.claim({ ...claimOf('friday'), dueAtMs: 77 });
    await ask('now');
    await store.funds.ask({ ...claimOf('friday'), dueAtMs: 77 }, 600);
    expect(await look()).toMatchObject([
      { batchId: 'friday', dueAtMs: 77, askedAtMs: 600 },
      { batchId: 'now', dueAtMs: null },
    ]);
  });

  it('record whether they go before scheduled ones, and do not where there was no such choice', async () => {
    await ask('old');
    const options = { beforeScheduled: true };
    await addPlannedBatch(store, { batchId: 'new', chunks: ['5'], options });
    await store.funds.claim(claimOf('new'));
    expect((await look()).map(({ beforeScheduled }) => beforeScheduled)).toEqual([false, true]);
  });

  it('hold the open chunks, the chunks under way, and the newest fees', async () => {
    await ask('b');
    await setChunkState(store, { batchId: 'b', chunk: 0, state: 'SENDING' });
    const quotes = [{ currency: 'TRX', fee: '0.75', estimated: false }];
    await store.batches.setFees('b', { quotes: [], newest: { quotes, atMs: 1 } });
    expect(await look()).toMatchObject([
      {
        fees: [{ currency: 'TRX', amount: '0.75' }],
        open: [
          { chunk: 0, currency: 'TRX', total: '5', sending: true },
          { chunk: 1, currency: 'TRX', total: '7', sending: false },
        ],
      },
    ]);
  });

  it.each(['CREATED', 'REJECTED', 'ABANDONED', 'NOT_SENT'])(
    'want nothing for a chunk that is %s',
    async (state) => {
      await ask('b');
      await setChunkState(store, { batchId: 'b', chunk: 0, state });
      expect((await look())[0]?.open.map(({ chunk }) => chunk)).toEqual([1]);
    },
  );

  it('of other accounts are not seen', async () => {
    await ask('mine');
    await ask('theirs', OTHER_ACCOUNT);
    expect(names(await look())).toEqual(['mine']);
    expect(names((await store.funds.look(OTHER_ACCOUNT)).claims)).toEqual(['theirs']);
  });

  it('are gone when their batch ends', async () => {
    await ask('granted');
    await ask('waiting');
    await decide('granted', 'granted');
    await end('granted');
    await end('waiting');
    expect(await look()).toEqual([]);
  });
});

describe('a decision', () => {
  it('that grants is kept', async () => {
    await ask('b');
    expect(await store.funds.isGranted('b')).toBe(false);
    await decide('b', 'granted');
    expect(await store.funds.isGranted('b')).toBe(true);
    expect(await look()).toMatchObject([{ grantedAtMs: 1_500, waitingSinceMs: null }]);
  });

  it('that lets wait keeps the place, and the moment of the first one', async () => {
    await ask('b');
    await decide('b', 'waits', { nowMs: 700 });
    await decide('b', 'waits', { nowMs: 800 });
    expect(await look()).toMatchObject([{ waitingSinceMs: 700, grantedAtMs: null }]);
  });

  it('that gives up loses the place, but not the money that was granted before', async () => {
    await ask('b');
    await ask('granted');
    await decide('granted', 'granted');
    await decide('granted', 'gives-up');
    await decide('b', 'gives-up');
    expect(names(await look())).toEqual(['granted']);
    await store.funds.ask(claimOf('b'), 1);
    expect(names(await look())).toEqual(['granted', 'b']);
  });

  it('that is unclear changes nothing', async () => {
    await ask('b');
    const before = await look();
    await decide('b', 'unclear');
    expect(await look()).toEqual(before);
  });

  it('sees claims that were made since the read with all their chunks, even of a batch that has ended', async () => {
    await ask('own');
    const before = await store.funds.look(ACCOUNT);
    await ask('quick');
    await decide('quick', 'granted');
    await setChunkState(store, { batchId: 'quick', chunk: 0, state: 'CREATED' });
    await end('quick');
    const { claims } = await decide('own', 'unclear', { before });
    expect(claims.map(({ batchId, open }) => [batchId, open.length])).toEqual([
      ['own', 2],
      ['quick', 2],
    ]);
    expect(names((await decide('own', 'unclear')).claims)).toEqual(['own']);
  });

  it('is made by one at a time: the second sees the result of the first', async () => {
    await ask('a');
    await ask('b');
    const before = await store.funds.look(ACCOUNT);
    const grantIfFirst = (batchId: string) =>
      store.funds.decide({ batchId, account: ACCOUNT, nowMs: 1, before, span: SPAN }, (claims) => ({
        decision: claims.some(({ grantedAtMs }) => grantedAtMs !== null) ? 'waits' : 'granted',
      }));
    const decisions = await Promise.all([grantIfFirst('a'), grantIfFirst('b')]);
    expect(decisions.map(({ decision }) => decision)).toEqual(['granted', 'waits']);
  });
});

describe('the amount that other batches began to pay in a span', () => {
  const granted = async (atMs: number) => {
    await ask('own');
    await ask('other');
    await decide('own', 'granted', { nowMs: 1_500 });
    await decide('other', 'granted', { nowMs: atMs });
    return (await decide('own', 'unclear')).granted;
  };

  it.each([
    [999, [] as string[]],
    [1_000, ['12']],
    [1_999, ['12']],
    [2_000, []],
  ])('is counted when it was granted at %d: %j', async (atMs, amounts) => {
    expect((await granted(atMs)).map(({ amount }) => amount)).toEqual(amounts);
  });

  it('still counts when it has ended, but for rows that were certainly not paid', async () => {
    await granted(1_500);
    await setChunkState(store, { batchId: 'other', chunk: 0, state: 'CREATED' });
    await setChunkState(store, { batchId: 'other', chunk: 1, state: 'NOT_SENT' });
    await end('other');
    expect((await decide('own', 'unclear')).granted).toEqual([{ currency: 'TRX', amount: '5' }]);
  });
});

describe('batches that wait', () => {
  it('are those that have claimed money and may not pay yet', async () => {
    for (const batchId of ['granted', 'asking', 'waiting', 'ended']) await ask(batchId);
    await addPlannedBatch(store, { batchId: 'scheduled', chunks: ['5'] });
    await store.funds.claim(claimOf('scheduled'));
    await decide('granted', 'granted');
    await decide('waiting', 'waits');
    await end('ended');
    expect(await store.funds.waiting(10)).toEqual([
      { batchId: 'asking', askedAtMs: 500 },
      { batchId: 'waiting', askedAtMs: 500 },
    ]);
    expect(await store.funds.waiting(1)).toHaveLength(1);
  });

  it('are also those that were granted once and are short now', async () => {
    await ask('b');
    await decide('b', 'granted');
    await decide('b', 'waits');
    expect(await store.funds.waiting(10)).toHaveLength(1);
  });
});
