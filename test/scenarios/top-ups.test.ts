import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { fatedRowMaker } from '../support/fated-rows.ts';
import { type Operators, operatorsOf } from '../support/operators.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const PAID: TestAddressCode[] = ['0000', '0000', '0000'];
/** Three rows are 7.5 with a fee of 1 percent. */
const MISSING = '2.575';
/** Nothing is looked at by itself in the time of these tests: the balance is read every few hours. */
const NO_POLLS = {
  flags: ['--funds', 'wait:90d'],
  env: { BURSAR_POLL_MIN_MS: '300000', BURSAR_POLL_MAX_MS: '300000' },
};

let stack: TestStack;
let operators: Operators;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  const balances = { USDT_TRC20: '5', USDC_ERC20: '5', BTC: '5' };
  const env = { BURSAR_SANDBOX_BALANCES: JSON.stringify(balances) };
  stack = await startTestStack({ folder: sharedFolder(), env });
  operators = await operatorsOf(stack);
  control = sandboxControl(stack.sandboxUrl);
});
afterAll(async () => {
  await operators.close();
  await stack.stop();
});

const isShort = { error: expect.objectContaining({ code: 'FUNDS_TOO_LOW' }) };

describe('a batch that waits for a top-up', () => {
  it('is woken by the webhook of the top-up, long before its next read of the balance', async () => {
    const batch = await operators.begin(fatedRowMaker('BTC')(PAID), NO_POLLS);
    const { note } = await batch.isIn('AWAITING_FUNDS');
    expect(note).toContain(`Short by ${MISSING}.`);
    expect(await batch.sent()).toEqual([]);
    await control.topUp('BTC', MISSING);
    expect(await batch.watch()).toEqual({ code: 0, state: 'COMPLETED' });
    expect(await batch.outcomes()).toEqual(['PAID', 'PAID', 'PAID']);
  });

  it('ends with nothing sent when its patience is over', async () => {
    const flags = ['--funds', 'wait:2s'];
    const batch = await operators.begin(fatedRowMaker('USDC_ERC20')(PAID), { flags });
    expect(await batch.watch()).toEqual({ code: 11, state: 'FAILED' });
    expect(await batch.status()).toMatchObject(isShort);
    expect(await batch.outcomes()).toEqual(['NOT_SENT', 'NOT_SENT', 'NOT_SENT']);
    expect((await stack.json('funds')).value).toMatchObject({ claims: [] });
  });

  it('and that is canceled meanwhile is not paid by a top-up that comes too late', async () => {
    const batch = await operators.begin(fatedRowMaker('USDT_TRC20')(PAID), NO_POLLS);
    await batch.isIn('AWAITING_FUNDS');
    expect(await batch.tell('cancel', 'paid by hand')).toEqual([0, undefined]);
    expect(await batch.watch()).toEqual({ code: 12, state: 'CANCELED' });
    await control.topUp('USDT_TRC20', MISSING);
    expect(await batch.outcomes()).toEqual(['NOT_SENT', 'NOT_SENT', 'NOT_SENT']);
    expect(await batch.sent()).toEqual([]);
  });

  it('finds the top-up by itself where there is no bridge', async () => {
    await stack.stopOne('bridge');
    const rows = fatedRowMaker('USDC_ERC20')([...PAID, ...PAID]).slice(3);
    const batch = await operators.begin(rows, { flags: ['--funds', 'wait:1m'] });
    await batch.isIn('AWAITING_FUNDS');
    // 4.5, 5.5 and 6.5 with their fee.
    await control.topUp('USDC_ERC20', '11.665');
    expect(await batch.watch()).toEqual({ code: 0, state: 'COMPLETED' });
    expect(await batch.outcomes()).toEqual(['PAID', 'PAID', 'PAID']);
  });
});
