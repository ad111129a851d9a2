import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import type { Store } from '../../../src/store/index.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type FundsWorld, fundsWorld, NOW_MS } from '../support/funds-world.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const DAY_MS = 86_400_000;
const WAITS = { fundsWaitMs: 60_000 };
const FRIDAY = { at: new Date(NOW_MS + DAY_MS).toISOString() };

let store: Store;
let funds: FundsWorld;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  funds = fundsWorld(store);
});
afterEach(() => store.close());

/** A person lifts the hold that the limit of the day put on batch b. */
async function liftDay(): Promise<void> {
  const [hold] = await store.holds.open('b');
  if (hold?.kind !== 'DAY_LIMIT') throw new Error('no limit of a day holds the batch');
  await store.holds.lift({ batchId: 'b', n: hold.n, by: 'ann', reason: 'fine', atMs: NOW_MS });
}

const kindOf = async (batchId: string): Promise<string> => (await funds.checkFunds(batchId)).kind;

describe('two batches that together exceed the balance', () => {
  beforeEach(async () => {
    await funds.add({ batchId: 'a', chunks: ['60'] });
    await funds.add({ batchId: 'b', chunks: ['60'] });
  });

  it('checked at once: exactly one may pay', async () => {
    const kinds = await Promise.all([kindOf('a'), kindOf('b')]);
    expect(kinds.sort()).toEqual(['enough', 'short']);
  });

  it('checked one after the other: the first may pay, and the second after the first has ended', async () => {
    expect([await kindOf('a'), await kindOf('b')]).toEqual(['enough', 'short']);
    await store.batches.end('a', { state: 'CANCELED', atMs: 1, error: null });
    expect(await kindOf('b')).toBe('enough');
  });

  it('in different currencies may both pay', async () => {
    funds.world.balances = { TRX: '60', BTC: '60' };
    await funds.add({ batchId: 'c', chunks: ['60:BTC'] });
    expect([await kindOf('a'), await kindOf('c')]).toEqual(['enough', 'enough']);
  });

  it('may both pay when fees fit too, and not when a fee is too much', async () => {
    await funds.add({ batchId: 'c', chunks: ['40'], fees: { TRX: '0.5' } });
    await funds.add({ batchId: 'd', chunks: ['39.5'], fees: { TRX: '0.5' } });
    expect([await kindOf('a'), await kindOf('c'), await kindOf('d')]).toEqual([
      'enough',
      'short',
      'enough',
    ]);
  });
});

describe('money that moves while the balance is read', () => {
  beforeEach(async () => {
    await funds.add({ batchId: 'a', chunks: ['30', '30'] });
    await funds.add({ batchId: 'b', chunks: ['60'], options: WAITS });
    expect(await kindOf('a')).toBe('enough');
  });

  /** The service takes a chunk of `a`, and the store learns of it. */
  const take = async (chunk: number): Promise<void> => {
    funds.world.balances['TRX'] = String(Number(funds.world.balances['TRX']) - 30);
    await funds.setChunk('a', chunk, 'CREATED');
  };

  it('just after the read of the balance is not counted: the balance of the read is gone', async () => {
    let looks = 0;
    funds.world.afterBalance = async () => {
      looks += 1;
      if (looks <= 2) await take(looks - 1);
    };
    expect(await kindOf('b')).toBe('short');
    expect([looks, funds.world.balances['TRX']]).toEqual([3, '40']);
  });

  it('just before the read of the balance is not counted twice in the end', async () => {
    funds.world.balances = { TRX: '120' };
    let looks = 0;
    funds.world.beforeBalance = async () => {
      looks += 1;
      if (looks === 1) await take(0);
    };
    expect(await kindOf('b')).toBe('enough');
    expect(looks).toBe(2);
  });

  it('of a create that is under way is read again until it is clear', async () => {
    funds.world.balances = { TRX: '90' };
    await funds.setChunk('a', 0, 'SENDING');
    funds.world.pause = (delayMs) => {
      funds.world.pauses.push(delayMs);
      return funds.world.pauses.length === 3
        ? funds.setChunk('a', 0, 'CREATED')
        : Promise.resolve();
    };
    expect(await kindOf('b')).toBe('enough');
    expect(funds.world.pauses).toHaveLength(3);
  });

  it('of a create that is under way is not missing twice, once from the balance and once as reserved', async () => {
    funds.world.balances = { TRX: '40' };
    await funds.setChunk('a', 0, 'SENDING');
    const settle = () => funds.setChunk('a', 0, 'CREATED');
    funds.world.pause = (delayMs) => {
      funds.world.pauses.push(delayMs);
      return funds.world.pauses.length === 2 ? settle() : Promise.resolve();
    };
    const first = await funds.checkFunds('b');
    expect(first).toMatchObject({ kind: 'short', short: [{ currency: 'TRX', amount: '50' }] });
    expect(funds.world.pauses).toHaveLength(2);
    // Whoever waits was told, and is not kept by creates that are under way.
    await funds.setChunk('a', 1, 'SENDING');
    expect(await kindOf('b')).toBe('short');
    expect(funds.world.pauses).toHaveLength(2);
  });

  it('of a create that stays ambiguous counts against the batch after some ten seconds', async () => {
    funds.world.balances = { TRX: '90' };
    await funds.setChunk('a', 0, 'SENDING');
    expect(await kindOf('b')).toBe('short');
    const waitedMs = funds.world.pauses.reduce((sum, pauseMs) => sum + pauseMs, 0);
    expect([waitedMs > 5_000, waitedMs < 20_000]).toEqual([true, true]);
  });

  it('of a batch that came, paid and ended meanwhile is not counted', async () => {
    funds.world.balances = { TRX: '120' };
    let looks = 0;
    funds.world.afterBalance = async () => {
      looks += 1;
      if (looks !== 1) return;
      await funds.add({ batchId: 'quick', chunks: ['60'] });
      const now = { batchId: 'quick', account: ACCOUNT, dueAtMs: null };
      await store.funds.ask(now, NOW_MS);
      const before = await store.funds.look(ACCOUNT);
      const about = { ...now, nowMs: NOW_MS, before, span: { startMs: 0, endMs: 1 } };
      await store.funds.decide(about, () => ({ decision: 'granted' }));
      funds.world.balances['TRX'] = '60';
      await funds.setChunk('quick', 0, 'CREATED');
      await store.batches.end('quick', { state: 'COMPLETED', atMs: 1, error: null });
    };
    expect(await kindOf('b')).toBe('short');
    expect(looks).toBe(2);
  });
});

describe('the order of claims', () => {
  it('is kept by a batch that waits: a later one does not take the money that arrives in parts', async () => {
    await funds.add({ batchId: 'large', chunks: ['150'], options: WAITS });
    await funds.add({ batchId: 'small', chunks: ['60'], options: WAITS });
    expect([await kindOf('large'), await kindOf('small')]).toEqual(['short', 'short']);
    funds.world.balances = { TRX: '160' };
    expect([await kindOf('small'), await kindOf('large')]).toEqual(['short', 'enough']);
    funds.world.balances = { TRX: '210' };
    expect(await kindOf('small')).toBe('enough');
  });

  it('ends for a batch that does not wait, so that no batch waits behind it', async () => {
    await funds.add({ batchId: 'large', chunks: ['150'] });
    await funds.add({ batchId: 'small', chunks: ['60'] });
    expect([await kindOf('large'), await kindOf('small')]).toEqual(['short', 'enough']);
  });

  it('makes a batch wait for the decision about an earlier one', async () => {
    await funds.add({ batchId: 'large', chunks: ['150'] });
    await funds.add({ batchId: 'small', chunks: ['60'] });
    const [large, small] = await Promise.all([kindOf('large'), kindOf('small')]);
    expect([large, small]).toEqual(['short', 'enough']);
  });

  it('is that of the plan for a scheduled batch: others do not take its money', async () => {
    await funds.add({ batchId: 'payroll', chunks: ['60'], options: FRIDAY });
    await funds.add({ batchId: 'suppliers', chunks: ['60'] });
    await funds.claimFunds('payroll');
    const suppliers = await funds.checkFunds('suppliers');
    expect(suppliers).toMatchObject({
      kind: 'short',
      short: [{ amount: '20' }],
      error: {
        what: expect.stringContaining('60.00 for payroll, which is scheduled for 2026-11-28'),
      },
    });
    funds.world.nowMs += DAY_MS;
    expect(await kindOf('payroll')).toBe('enough');
  });

  it('is set aside by --before-scheduled, for batches whose time has not come', async () => {
    const options = { beforeScheduled: true };
    await funds.add({ batchId: 'payroll', chunks: ['60'], options: FRIDAY });
    await funds.add({ batchId: 'suppliers', chunks: ['60'], options });
    await funds.claimFunds('payroll');
    expect(await kindOf('suppliers')).toBe('enough');
    funds.world.nowMs += DAY_MS;
    expect(await kindOf('payroll')).toBe('short');
  });

  it('puts a claim from before the due time in the queue again at the due time', async () => {
    await funds.add({ batchId: 'payroll', chunks: ['60'], options: FRIDAY });
    await expect(funds.checkFunds('payroll')).rejects.toMatchObject({
      type: 'NOT_DUE',
      nonRetryable: false,
    });
    expect(await store.funds.isGranted('payroll')).toBe(false);
  });

  it('is not set aside by it once their time has come', async () => {
    await funds.add({ batchId: 'payroll', chunks: ['60'], options: FRIDAY });
    await funds.add({ batchId: 'suppliers', chunks: ['60'], options: { beforeScheduled: true } });
    await funds.claimFunds('payroll');
    funds.world.nowMs += DAY_MS;
    expect(await kindOf('suppliers')).toBe('short');
  });

  it('does not matter to a granted batch that is checked again', async () => {
    await funds.add({ batchId: 'a', chunks: ['60'] });
    expect([await kindOf('a'), await kindOf('a')]).toEqual(['enough', 'enough']);
  });
});

describe('the limit of a day', () => {
  const limits = { row: [], batch: [], payee: [], day: [{ currency: 'TRX', amount: '100' }] };
  const rules = { limits };

  beforeEach(async () => {
    funds.world.balances = { TRX: '1000' };
    await funds.add({ batchId: 'a', chunks: ['60'], rules });
    await funds.add({ batchId: 'b', chunks: ['60'], rules });
  });

  it('stops only the batch that would pass it, when two are checked at once', async () => {
    const kinds = await Promise.all([kindOf('a'), kindOf('b')]);
    expect(kinds.sort()).toEqual(['enough', 'over-day-limit']);
  });

  it('is in the error with the sum that other batches began to pay', async () => {
    await kindOf('a');
    expect(await funds.checkFunds('b')).toMatchObject({
      kind: 'over-day-limit',
      error: {
        code: 'DAY_LIMIT_PASSED',
        what: expect.stringContaining('120 TRX would be paid on 2026-11-27 (UTC)'),
      },
    });
    expect(await store.funds.isGranted('b')).toBe(false);
  });

  it('counts a batch that has ended, until the day is over', async () => {
    await kindOf('a');
    await funds.setChunk('a', 0, 'CREATED');
    await store.batches.end('a', { state: 'COMPLETED', atMs: 1, error: null });
    expect(await kindOf('b')).toBe('over-day-limit');
    funds.world.nowMs += DAY_MS;
    expect(await kindOf('b')).toBe('enough');
  });

  it('is passed by a total that a person accepted, and by no larger one', async () => {
    await funds.add({ batchId: 'c', chunks: ['30'], rules });
    await kindOf('a');
    expect(await kindOf('b')).toBe('over-day-limit');
    await liftDay();
    expect(await kindOf('c')).toBe('enough');
    expect(await kindOf('b')).toBe('over-day-limit');
    await store.batches.end('c', { state: 'CANCELED', atMs: 1, error: null });
    await funds.setChunk('c', 0, 'NOT_SENT');
    expect(await kindOf('b')).toBe('enough');
  });

  it('holds the batch with the sentence of the rule, and figures of the store', async () => {
    await kindOf('a');
    const told = await funds.checkFunds('b');
    const [hold] = await store.holds.open('b');
    const excess = {
      day: '2026-11-27',
      currency: 'TRX',
      limit: '100',
      granted: '60',
      total: '120',
    };
    expect(told).toMatchObject({ kind: 'over-day-limit', hold, excesses: [excess] });
    expect(hold).toMatchObject({
      kind: 'DAY_LIMIT',
      by: 'Bursar',
      facts: { 0: JSON.stringify(excess) },
      reason: expect.stringContaining('120 TRX would be paid on 2026-11-27 (UTC)'),
    });
    await kindOf('b');
    expect(await store.holds.open('b')).toEqual([hold]);
  });

  it('is not passed by a hold that was lifted before the batch had a plan', async () => {
    await kindOf('a');
    await kindOf('b');
    await writableDb(store)
      .updateTable('batch')
      .set({ digest: null })
      .where('batch_id', '=', 'b')
      .execute();
    await liftDay();
    await writableDb(store).updateTable('batch').set({ digest: 'sha256:d' }).execute();
    expect(await kindOf('b')).toBe('over-day-limit');
  });

  it('ignores an acceptance that only the caller claims', async () => {
    await kindOf('a');
    const told = await funds.checkFunds('b');
    const acceptedDay = told.kind === 'over-day-limit' ? told.excesses : [];
    const asked = { batchId: 'b', acceptedDay };
    expect(acceptedDay).toHaveLength(1);
    expect(await funds.checkFundsWith(asked)).toMatchObject({ kind: 'over-day-limit' });
  });

  it('is not skipped by a claim before there is a plan', async () => {
    await kindOf('a');
    const before = writableDb(store).updateTable('batch').where('batch_id', '=', 'b');
    await before.set({ digest: null, rules_json: null }).execute();
    await expect(funds.checkFunds('b')).rejects.toThrow('has no plan');
    expect(await store.funds.isGranted('b')).toBe(false);
  });

  it('is not in the error of a batch that is short of money', async () => {
    funds.world.balances = { TRX: '70' };
    await kindOf('a');
    expect(await kindOf('b')).toBe('short');
  });
});

describe('a claim before the time has come', () => {
  it('returns the amounts that the account will lack at that time', async () => {
    await funds.add({ batchId: 'now', chunks: ['30'] });
    await funds.add({ batchId: 'payroll', chunks: ['90'], fees: { TRX: '1' }, options: FRIDAY });
    await funds.claimFunds('now');
    expect(await funds.claimFunds('payroll')).toEqual({
      kind: 'claimed',
      short: [{ currency: 'TRX', amount: '21' }],
      outlook:
        'At 2026-11-28T08:00:00.000Z the account will be 21.00 TRX short of all that is due by then or asked first.',
    });
  });

  it('returns nothing when nothing lacks, and no currency that the batch does not pay', async () => {
    await funds.add({ batchId: 'coins', chunks: ['1:BTC'] });
    await funds.claimFunds('coins');
    await funds.add({ batchId: 'payroll', chunks: ['90'], options: FRIDAY });
    expect(await funds.claimFunds('payroll')).toMatchObject({ short: [], outlook: null });
  });
});

it('an unknown batch is not ended: another store may have it', async () => {
  await expect(funds.checkFunds('nobody')).rejects.toMatchObject({
    type: 'BATCH_NOT_FOUND',
    nonRetryable: false,
  });
});

describe('a balance that cannot be read', () => {
  beforeEach(async () => {
    funds.world.unreadable = [{ path: 'balances.1.amount', problem: 'is not a decimal' }];
    await funds.add({ batchId: 'a', chunks: ['60'] });
  });

  it('holds up no batch in another currency', async () => {
    funds.world.balances = { TRX: '60' };
    expect(await kindOf('a')).toBe('enough');
  });

  it('is not called zero for a batch in a currency that is not listed', async () => {
    funds.world.balances = { BTC: '60' };
    await expect(kindOf('a')).rejects.toMatchObject({ type: 'SERVICE_ANSWER_UNREADABLE' });
  });
});

it('a batch with enough money is refused where no read would show its end', async () => {
  await funds.add({ batchId: 'a', chunks: ['60'] });
  const reads = 'MASS_GET by id';
  funds.world.unreadableEnds = new BursarError('ENDS_UNREADABLE', { reads });
  expect(await funds.checkFunds('a')).toMatchObject({
    kind: 'refused',
    error: { code: 'ENDS_UNREADABLE', what: expect.stringContaining(reads) },
  });
});
