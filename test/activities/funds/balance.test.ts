import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createBalanceGuard } from '../../../src/activities/funds/balance.ts';
import { failed, refused } from '../../support/fake-service.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { type BalanceWorld, balanceWorld } from '../support/balance-world.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

let world: BalanceWorld;
let { store, funds, check, proven, holds, accept, begin, end, guarded } = {} as BalanceWorld;
beforeEach(async () => {
  world = await balanceWorld();
  ({ store, funds, check, proven, holds, accept, begin, end, guarded } = world);
});
afterEach(() => store.close());

const DONE = { kind: 'done' };

/** Creates of a chunk left, and ended so. */
async function attempted(chunk: number, outcomes: readonly string[]): Promise<void> {
  const { idempotencyKey } = await store.chunks.get('b', chunk);
  for (const [before, outcome] of outcomes.entries()) {
    const attempt = { idempotency_key: idempotencyKey, n: before + 1, outcome };
    await writableDb(store)
      .insertInto('attempt')
      .values({
        ...attempt,
        timestamp_ms: 1,
        body_sha256: '',
        ended_ms: 2,
        http_status: null,
        error_code: null,
        trace_id: null,
        retry_after_ms: null,
        clock_id: null,
        clock_ms: null,
      })
      .execute();
  }
}

describe('a batch whose rows are all at their ends', () => {
  beforeEach(() => begin());

  it('may end when the batch ordered all the money that left', async () => {
    await end(['PAID', 'PAID']);
    funds.world.balances = { TRX: '798' };
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({
      result: 'explained',
      lines: [{ opening: '1000', closing: '798', left: '202', atMost: '202', unexplained: '0' }],
    });
  });

  it('is held when the service paid a row twice', async () => {
    await end(['PAID', 'PAID']);
    funds.world.balances = { TRX: '697' };
    const held = await check('b', { isPatient: true });
    expect(held).toMatchObject({ kind: 'held', hold: { kind: 'BALANCE' } });
    expect(held.kind === 'held' && held.hold.reason).toBe(
      'BALANCE_DIFFERS: 101 TRX left the account that no batch of this store explains (TRX: opening 1000, now 697, left 303, explained at most 202).',
    );
    expect(await proven()).toMatchObject({ result: 'differs', accepted: [] });
    // However often it is looked at.
    expect(await check()).toEqual(held);
    expect(await holds()).toEqual(['BALANCE']);
  });

  it('is held with the names of rows of which more than one create may have arrived', async () => {
    await end(['PAID', 'PAID']);
    await attempted(0, ['THROTTLED', 'ACCEPTED']);
    await attempted(1, ['AMBIGUOUS', 'ACCEPTED']);
    const { firstRow, lastRow } = await store.chunks.get('b', 1);
    funds.world.balances = { TRX: '697' };
    const held = await check();
    expect(held.kind === 'held' && held.hold.reason).toContain(
      ` Created more than once: chunk 1 (rows ${firstRow} to ${lastRow}).`,
    );
    await accept(1);
    expect(await check()).toEqual(DONE);
    const createdAgain = [{ chunk: 1, firstRow, lastRow }];
    expect(await proven()).toMatchObject({ result: 'differs', createdAgain });
  });

  it('is held with the rows of a create that was refused as too many, where no other chunk was created again', async () => {
    await end(['PAID', 'PAID']);
    await attempted(0, ['THROTTLED', 'ACCEPTED']);
    await attempted(1, ['ACCEPTED']);
    const { firstRow, lastRow } = await store.chunks.get('b', 0);
    funds.world.balances = { TRX: '697' };
    const held = await check();
    expect(held.kind === 'held' && held.hold.reason).toContain(
      ` Created more than once: chunk 0 (rows ${firstRow} to ${lastRow}).`,
    );
    expect((await proven())?.createdAgain).toBeUndefined();
  });

  it('goes on by itself when a later read explains the difference', async () => {
    await end(['PAID', 'FAILED']);
    funds.world.balances = { TRX: '798' };
    expect(await check('b', { isPatient: true })).toEqual({ kind: 'again' });
    expect(await holds()).toEqual([]);
    expect((await check()).kind).toBe('held');
    // The service returns what it could not pay.
    funds.world.balances = { TRX: '899' };
    expect(await check()).toEqual(DONE);
    expect(await holds()).toEqual([]);
    expect(await proven()).toMatchObject({ result: 'explained' });
  });

  it('ends with the difference and the name of the person who accepted it', async () => {
    await end(['PAID', 'PAID']);
    funds.world.balances = { TRX: '697' };
    await check();
    await accept(1);
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({
      result: 'differs',
      lines: [{ unexplained: '101' }],
      accepted: [{ by: 'mira', reason: 'a wallet was opened' }],
    });
  });

  it('is held again when more left than was accepted', async () => {
    await end(['PAID', 'PAID']);
    funds.world.balances = { TRX: '697' };
    await check();
    await accept(1);
    funds.world.balances = { TRX: '696' };
    expect(await check()).toMatchObject({ kind: 'held', hold: { n: 2 } });
  });

  it('raises no alarm after a top-up, which proves nothing', async () => {
    await end(['PAID', 'PAID']);
    funds.world.balances = { TRX: '1298' };
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({
      result: 'not-checkable',
      because: expect.stringContaining('arrived meanwhile'),
    });
  });

  it('raises no alarm where other programs pay from the account', async () => {
    await end(['PAID', 'PAID']);
    funds.world.balances = { TRX: '1' };
    expect(await check('b', { isShared: true })).toEqual(DONE);
    expect(await proven()).toMatchObject({
      because: 'other programs pay from the account (funds.shared)',
    });
  });

  it('raises no alarm where the balance is refused, and is checked again when the service does not answer', async () => {
    await end(['PAID', 'PAID']);
    funds.world.beforeBalance = () => {
      throw refused(503);
    };
    expect(await check('b', { isPatient: true })).toEqual({ kind: 'again' });
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({
      because: 'the service did not answer the balance request',
    });
    funds.world.beforeBalance = () => {
      throw refused(403);
    };
    expect(await check('b', { isPatient: true })).toEqual(DONE);
    expect((await proven())?.because).toMatch(/^the balance cannot be read \([A-Z_]+\)$/);
  });

  it('raises no alarm over an older copy of the store, which may lack creates', async () => {
    await end(['PAID', 'PAID']);
    await store.restores.raise({ atMs: 2_000_000_000_000, reason: '' });
    funds.world.balances = { TRX: '1' };
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({ because: expect.stringContaining('older copy') });
  });

  it.each([
    ['UNKNOWN', '798'],
    ['UNKNOWN', '899'],
  ] as const)('is explained whether a row that is %s was paid or not: %s', async (outcome, trx) => {
    await end(['PAID', outcome]);
    funds.world.balances = { TRX: trx };
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({ result: 'explained' });
  });
});

describe('two batches of one account', () => {
  it('explain the amounts that each other ordered meanwhile, in flight or at an end', async () => {
    await begin('a');
    await begin('b');
    await end(['PAID', 'PAID'], 'a');
    await end(['PAID', 'IN_FLIGHT'], 'b');
    funds.world.balances = { TRX: '596' };
    expect(await check('a')).toEqual(DONE);
    await store.batches.end('a', { state: 'COMPLETED', atMs: funds.world.nowMs, error: null });
    await end(['PAID', 'PAID'], 'b');
    expect(await check('b')).toEqual(DONE);
    expect([await proven('a'), await proven('b')]).toMatchObject([
      { result: 'explained' },
      { result: 'explained' },
    ]);
  });

  it('do not explain the money that one of them paid before the other began', async () => {
    await begin('a');
    await end(['PAID', 'PAID'], 'a');
    funds.world.balances = { TRX: '798' };
    await begin('b');
    await end(['PAID', 'PAID'], 'b');
    funds.world.balances = { TRX: '495' };
    expect(await check('b')).toMatchObject({
      kind: 'held',
      hold: { reason: expect.stringContaining('101 TRX left') },
    });
  });

  it('count rows of a batch that is over when they were sent again elsewhere', async () => {
    await begin('a');
    await end(['PAID', 'FAILED'], 'a');
    funds.world.balances = { TRX: '899' };
    await store.batches.end('a', { state: 'PARTIAL', atMs: 1, error: null });
    await begin('b');
    await end(['PAID', 'PAID'], 'b');
    funds.world.balances = { TRX: '596' };
    await store.rechecks.amend(
      { batchId: 'a', chunk: 1 },
      {
        was: { currency: 'TRX', final: true, reopened: 0 },
        outcomes: {
          massPayoutState: 'COMPLETED',
          final: true,
          rows: [],
          defaultOutcome: { outcome: 'PAID', reason: '' },
        },
        fee: '1',
        payoutFingerprint: null,
        atMs: funds.world.nowMs,
        changes: [{ row: 3, currency: 'TRX', amount: '100', before: 'FAILED', after: 'PAID' }],
      },
    );
    expect(await check('b')).toEqual(DONE);
  });
});

describe('while a batch pays', () => {
  it('it is held as soon as more left than was ordered', async () => {
    await begin();
    const look = guarded();
    await look();
    await end(['IN_FLIGHT']);
    funds.world.balances = { TRX: '899' };
    expect(await look()).toBeUndefined();
    funds.world.balances = { TRX: '798' };
    expect(await look()).toMatchObject({ kind: 'BALANCE', facts: { TRX: expect.any(String) } });
    expect(await holds()).toEqual(['BALANCE']);
  });

  it('it is not held when the service shows that the store is an older copy, and that is stored', async () => {
    await begin();
    const look = guarded();
    await look();
    await end(['PAID']);
    funds.world.balances = { TRX: '798' };
    funds.world.shownKey = (await store.chunks.get('b', 1)).idempotencyKey;
    expect(await look()).toBeUndefined();
    expect(await store.restores.of('b')).toMatchObject({ hasBegun: true });
    expect([await holds(), (await proven())?.result]).toEqual([[], undefined]);
  });

  it('rows that failed count as ordered, since their money may come back late', async () => {
    await begin();
    const look = guarded();
    await look();
    await end(['FAILED', 'PAID']);
    funds.world.balances = { TRX: '798' };
    expect(await look()).toBeUndefined();
  });

  it('the balance is read at a bounded pace, and not by a service that does not answer', async () => {
    await begin();
    await end(['PAID', 'PAID']);
    let reads = 0;
    funds.world.beforeBalance = () => {
      reads += 1;
      throw refused(503);
    };
    const guard = createBalanceGuard(world.depsOf());
    const batch = await world.batchOf('b');
    for (let second = 0; second < 60; second += 1) {
      expect(await guard(batch, 1_000)).toBeUndefined();
      funds.world.nowMs += 1_000;
    }
    expect(reads).toBe(9);
  });
});

it('a batch that never needed money is not checked', async () => {
  await funds.add({ batchId: 'c', chunks: ['1'], account: ACCOUNT });
  expect(await check('c')).toEqual(DONE);
  expect(await proven('c')).toBeUndefined();
});

describe('a balance to which money has arrived, of a service that lists its withdrawals,', () => {
  /** What it shows after the end: 500 more than was left, and so many withdrawals since the beginning. */
  const show = (withdrawals: number): void => {
    funds.world.balances = { TRX: '1298' };
    funds.world.withdrawals = { TRX: 40 + withdrawals };
  };
  beforeEach(() => {
    funds.world.withdrawals = { TRX: 40 };
  });

  it('is explained by as many withdrawals as rows were paid', async () => {
    await begin();
    await end(['PAID', 'PAID']);
    show(2);
    expect(await check()).toEqual(DONE);
    const lines = [{ currency: 'TRX' }, { currency: 'withdrawals in TRX', left: '2' }];
    expect(await proven()).toMatchObject({ result: 'explained', lines });
  });

  it('hides no double payment: more withdrawals than rows hold the batch', async () => {
    await begin();
    await end(['PAID', 'PAID']);
    show(3);
    const held = await check();
    expect(held.kind === 'held' && held.hold.reason).toContain(
      'BALANCE_DIFFERS: 1 withdrawals in TRX left the account that no batch of this store explains',
    );
    await accept(1);
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({ result: 'differs', accepted: [{ by: 'mira' }] });
  });

  it('proves nothing by a list that shows too few, or that cannot be read any more', async () => {
    await begin();
    await end(['PAID', 'PAID']);
    show(1);
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({ result: 'not-checkable' });
    funds.world.withdrawals = null;
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({ result: 'not-checkable' });
  });

  it('hides no double payment that it showed once, when it shows nothing any more', async () => {
    await begin();
    await end(['PAID', 'PAID']);
    show(3);
    const held = await check();
    funds.world.withdrawals = null;
    expect(await check()).toEqual(held);
  });

  /** The list breaks so many times, each time in another way. */
  const breakTimes = (times: number): void => {
    const ways = [refused(503), failed('unreadable'), refused(429), failed('no-answer')];
    let left = times;
    funds.world.beforeWithdrawals = () => {
      left -= 1;
      const trouble = ways[left % ways.length];
      if (trouble !== undefined) throw trouble;
    };
  };

  it.each([1, 3])(
    'is counted at the opening though %d answers of the list break',
    async (times) => {
      breakTimes(times);
      await begin();
      await end(['PAID', 'PAID']);
      show(3);
      expect((await check()).kind).toBe('held');
    },
  );

  it('begins without a list that never answers, and that is refused at once', async () => {
    breakTimes(1_000);
    await begin();
    expect(funds.world.pauses).toHaveLength(3);
    funds.world.beforeWithdrawals = () => {
      throw refused(403);
    };
    await begin('c');
    expect(funds.world.pauses).toHaveLength(3);
    for (const batchId of ['b', 'c']) {
      expect((await store.balances.find(batchId))?.opening).not.toHaveProperty('withdrawals');
    }
  });

  it.each([refused(503), refused(429), failed('unreadable'), failed('no-answer')])(
    'is read again at the end while a list that worked breaks, and then counts alone: %s',
    async (trouble) => {
      await begin();
      await end(['PAID', 'PAID']);
      show(3);
      funds.world.beforeWithdrawals = () => {
        throw trouble;
      };
      expect(await check('b', { isPatient: true })).toEqual({ kind: 'again' });
      expect(await proven()).toBeNull();
      funds.world.beforeWithdrawals = () => undefined;
      expect((await check('b', { isPatient: true })).kind).toBe('held');
      await accept(1);
      funds.world.beforeWithdrawals = () => {
        throw trouble;
      };
      expect(await check()).toEqual(DONE);
    },
  );

  it('needs no list where the balance itself proves it', async () => {
    await begin();
    await end(['PAID', 'PAID']);
    funds.world.balances = { TRX: '798' };
    breakTimes(1_000);
    expect(await check('b', { isPatient: true })).toEqual(DONE);
    expect(await proven()).toMatchObject({ result: 'explained' });
  });

  it('raises no alarm where the list may show withdrawals of another batch late', async () => {
    await begin('other');
    funds.world.balances = { TRX: '2000' };
    await begin();
    await end(['PAID', 'PAID']);
    funds.world.balances = { TRX: '2298' };
    funds.world.withdrawals = { TRX: 45 };
    expect(await check()).toEqual(DONE);
    expect(await proven()).toMatchObject({ result: 'not-checkable' });
  });
});
