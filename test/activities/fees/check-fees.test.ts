import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createControlActivities } from '../../../src/activities/control/controls.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import type { FeeRules } from '../../../src/domain/plan/rules.ts';
import type { Store } from '../../../src/store/index.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';
import { type FundsWorld, fundsWorld, NOW_MS } from '../support/funds-world.ts';

const trx = (fee: string) => [{ currency: 'TRX', fee, estimated: false }];
const RULES: FeeRules = {
  driftMaxPercent: '20',
  shareMaxPercent: null,
  totalMax: [{ currency: 'TRX', amount: '50' }],
};

let store: Store;
let funds: FundsWorld;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  funds = fundsWorld(store);
  await funds.add({ batchId: 'b', chunks: ['60'], rules: { fees: RULES } });
});
afterEach(() => store.close());

const charge = (fee: string | undefined): void => {
  funds.world.feeOf = () => fee;
};
/** Holds the batch for what the fee rules say, as its workflow does, and has a person lift the hold. */
async function liftFees(outcome: Awaited<ReturnType<FundsWorld['checkFees']>>): Promise<void> {
  if (outcome.kind !== 'drift') throw new Error(outcome.kind);
  const { reason, facts } = outcome;
  const { putHold } = createControlActivities({ store, policy: null, nowMs: () => NOW_MS });
  const hold = { batchId: 'b', kind: 'FEE_DRIFT', reason, by: 'Bursar', facts } as const;
  const { n } = (await asActivity().run(putHold, hold)) as Hold;
  await store.holds.lift({ batchId: 'b', n, by: 'ann', reason: 'fine', atMs: NOW_MS });
}
const written = async () => (await store.batches.find('b'))?.fees;

describe('the fees of the plan', () => {
  it('are quoted once', async () => {
    charge('10');
    expect(await funds.quoteFees('b')).toEqual({ kind: 'quoted', fees: trx('10'), stopped: null });
    charge('20');
    expect(await funds.quoteFees('b')).toMatchObject({ fees: trx('10') });
    expect(await written()).toEqual({ quotes: trx('10') });
  });

  it('stop the batch above a cap, with the same result each time', async () => {
    charge('51');
    const stopped = { kind: 'above-cap', quotes: trx('51'), reason: expect.stringMatching(/50/) };
    expect(await funds.quoteFees('b')).toMatchObject({ stopped });
    expect(await funds.quoteFees('b')).toMatchObject({ stopped });
  });

  it('stop nothing where the service does not quote them, or there are no rules', async () => {
    funds.world.lacksFees = true;
    expect(await funds.quoteFees('b')).toEqual({ kind: 'quoted', fees: null, stopped: null });
    funds.world.lacksFees = false;
    charge('1000');
    await funds.add({ batchId: 'free', chunks: ['60'] });
    expect(await funds.quoteFees('free')).toMatchObject({ stopped: null });
  });
});

describe('the fees at the due time', () => {
  beforeEach(async () => {
    charge('10');
    await funds.quoteFees('b');
  });

  it('may rise by the allowed drift, and the batch then needs the risen fees', async () => {
    charge('12');
    expect(await funds.checkFees('b')).toEqual({
      kind: 'within',
      note: 'Fees are 12.00 TRX and were 10.00 TRX.',
    });
    expect(await written()).toEqual({
      quotes: trx('10'),
      newest: { quotes: trx('12'), atMs: NOW_MS },
    });
    funds.world.balances = { TRX: '71.9' };
    expect((await funds.checkFunds('b')).kind).toBe('short');
    funds.world.balances = { TRX: '72' };
    expect((await funds.checkFunds('b')).kind).toBe('enough');
  });

  it('stop the batch above that, until a person accepts them; later quotes are compared with these', async () => {
    charge('13');
    const stopped = await funds.checkFees('b');
    expect(stopped).toMatchObject({ kind: 'drift', quotes: trx('13') });
    expect(await funds.checkFees('b')).toMatchObject({ kind: 'drift' });
    if (stopped.kind !== 'drift') throw new Error(stopped.kind);
    await expect(funds.acceptFees({ batchId: 'b', quotes: stopped.quotes })).rejects.toMatchObject({
      type: 'HOLD_NEEDS_APPROVAL',
    });
    await liftFees(stopped);
    await funds.acceptFees({ batchId: 'b', quotes: stopped.quotes });
    charge('15.6');
    expect(await funds.checkFees('b')).toMatchObject({ kind: 'within' });
    charge('15.7');
    expect(await funds.checkFees('b')).toMatchObject({ kind: 'drift' });
    expect(await written()).toEqual({
      quotes: trx('10'),
      newest: { quotes: trx('15.7'), atMs: NOW_MS },
      accepted: { quotes: trx('13'), atMs: NOW_MS },
    });
  });

  it('are accepted as the hold named them, even when newer quotes are stored since', async () => {
    charge('13');
    await liftFees(await funds.checkFees('b'));
    charge('40');
    await funds.checkFees('b');
    await funds.acceptFees({ batchId: 'b', quotes: trx('13') });
    expect(await funds.checkFees('b')).toMatchObject({ kind: 'drift', quotes: trx('40') });
  });

  it('are quoted again when the service does not quote them for a moment', async () => {
    const fees = [undefined, '10'];
    funds.world.feeOf = () => fees.shift();
    expect(await funds.checkFees('b')).toMatchObject({ kind: 'within' });
    expect(funds.world.pauses).toHaveLength(1);
  });

  it('stop the batch when the service no longer quotes them, until a person accepts that', async () => {
    charge(undefined);
    const stopped = await funds.checkFees('b');
    expect(stopped).toMatchObject({ kind: 'drift', quotes: null });
    await liftFees(stopped);
    await funds.acceptFees({ batchId: 'b', quotes: null });
    expect(await funds.checkFees('b')).toMatchObject({ kind: 'within' });
    // What was told with the plan is still the best that is known of what the batch needs.
    funds.world.balances = { TRX: '69' };
    expect((await funds.checkFunds('b')).kind).toBe('short');
  });
});

it('fees that were never quoted are not waited for at the due time', async () => {
  funds.world.lacksFees = true;
  await funds.quoteFees('b');
  expect(await funds.checkFees('b')).toMatchObject({ kind: 'within' });
  expect(funds.world.pauses).toEqual([]);
});

it.each<[string, unknown]>([
  ['none', undefined],
  ['a text', '13 TRX'],
  ['one without a fee', [{ currency: 'TRX', estimated: false }]],
  ['a fee that is no amount', [{ currency: 'TRX', fee: 'x', estimated: false }]],
  ['two in the text of one', [{ currency: 'TRX, 5 BTC', fee: '13', estimated: false }]],
])('malformed quotes (%s) are refused once', async (_what, quotes) => {
  const accepting = funds.acceptFees({ batchId: 'b', quotes } as never);
  await expect(accepting).rejects.toMatchObject({ type: 'INPUT_INVALID', nonRetryable: true });
});
