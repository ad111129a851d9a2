import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, refused } from '../../support/fake-service.ts';
import { type BalanceWorld, balanceWorld } from '../support/balance-world.ts';

let world: BalanceWorld;
let { store, funds, check, proven, holds, accept, begin, end, guarded } = {} as BalanceWorld;
beforeEach(async () => {
  world = await balanceWorld();
  ({ store, funds, check, proven, holds, accept, begin, end, guarded } = world);
  await begin();
});
afterEach(() => store.close());

const show = (trx: string): void => {
  funds.world.balances = { TRX: trx };
};

/** Ways in which a later read proves less than an earlier one. Two chunks of 101 were paid, and one of them twice. */
const LATER: readonly (readonly [string, () => unknown])[] = [
  [
    'no answer comes',
    () => {
      funds.world.beforeBalance = () => {
        throw refused(503);
      };
    },
  ],
  [
    'the answer is garbage',
    () => {
      funds.world.beforeBalance = () => {
        throw failed('unreadable');
      };
    },
  ],
  [
    'the balance is refused',
    () => {
      funds.world.beforeBalance = () => {
        throw refused(403);
      };
    },
  ],
  ['1000 arrived', () => show('1697')],
  ['exactly the shortage arrived', () => show('798')],
  ['a part of the shortage arrived', () => show('747')],
  ['the currency is not shown any more', () => (funds.world.balances = {})],
];

describe('more left than was ordered, and', () => {
  it.each(LATER)('a hold stays on until a person accepts it, though %s', async (_what, later) => {
    await end(['PAID', 'PAID']);
    show('697');
    const held = await check('b', { isPatient: true });
    expect(held).toMatchObject({ kind: 'held', hold: { n: 1 } });
    later();
    expect(await check('b', { isPatient: true })).toEqual(held);
    expect(await check()).toEqual(held);
    expect(await holds()).toEqual(['BALANCE']);
    await accept(1);
    expect(await check()).toEqual({ kind: 'done' });
    expect(await proven()).toMatchObject({
      result: 'differs',
      lines: expect.arrayContaining([expect.objectContaining({ unexplained: '101' })]),
      accepted: [{ by: 'mira', reason: 'a wallet was opened' }],
    });
    // Another try of the same activity concludes the same.
    expect(await check()).toEqual({ kind: 'done' });
    expect(await proven()).toMatchObject({ result: 'differs', accepted: [{ by: 'mira' }] });
  });

  it.each(LATER)('the guard saw it while the batch paid; %s at the end', async (_what, later) => {
    const look = guarded();
    await look();
    await end(['PAID', 'PAID']);
    show('697');
    const hold = await look();
    expect(hold).toMatchObject({ kind: 'BALANCE', n: 1 });
    later();
    expect(await check('b', { isPatient: true })).toMatchObject({ kind: 'held', hold: { n: 1 } });
  });

  it('is no longer comparable by a setting, or by an older copy of the store: it stays', async () => {
    await end(['PAID', 'PAID']);
    show('697');
    const held = await check();
    expect(await check('b', { isShared: true })).toEqual(held);
    const atMs = 2_000_000_000_000;
    await store.restores.raise({ atMs, reason: '' });
    expect(await check()).toEqual(held);
  });

  it('one worker stores it after another worker read less: the larger difference stays', async () => {
    await end(['PAID', 'PAID']);
    show('697');
    await check();
    show('747');
    await check();
    expect(await proven()).toMatchObject({ lines: [{ beyondOrders: '101' }] });
  });

  it('more left later: accepting the first hold is not accepting the rest', async () => {
    await end(['PAID', 'PAID']);
    show('697');
    await check();
    show('647');
    await check();
    show('1647');
    await accept(1);
    const held = await check();
    expect(held).toMatchObject({ kind: 'held', hold: { n: 2 } });
    expect(held.kind === 'held' && held.hold.reason).toContain('BALANCE_DIFFERS: 151 TRX left');
    await accept(2);
    expect(await check()).toEqual({ kind: 'done' });
  });

  it('the engine took the hold off: the next read puts it on again', async () => {
    await end(['PAID', 'PAID']);
    show('697');
    await check();
    await store.holds.expire({ batchId: 'b', n: 1, reason: 'outdated', atMs: 1 });
    show('1697');
    expect(await check()).toMatchObject({ kind: 'held', hold: { n: 2 } });
  });
});

describe('more left than was paid, though not more than was ordered: the failed row may be returned late.', () => {
  beforeEach(async () => {
    await end(['PAID', 'FAILED']);
    show('798');
    expect(await check('b', { isPatient: true })).toEqual({ kind: 'again' });
  });

  it('A read that explains it settles it', async () => {
    expect(await holds()).toEqual([]);
    show('899');
    expect(await check()).toEqual({ kind: 'done' });
    expect(await proven()).toMatchObject({ result: 'explained' });
  });

  it.each(LATER.filter(([what]) => !what.includes('shortage')))(
    'It holds the batch at the end, though %s',
    async (_what, later) => {
      later();
      expect(await check('b', { isPatient: true })).toEqual({ kind: 'again' });
      const held = await check();
      expect(held).toMatchObject({ kind: 'held', hold: { n: 1 } });
      expect(await check()).toEqual(held);
      await accept(1);
      expect(await check()).toEqual({ kind: 'done' });
      expect(await proven()).toMatchObject({ result: 'differs', accepted: [{ by: 'mira' }] });
    },
  );
});
