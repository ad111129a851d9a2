import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, errorCodeOf, json } from './support/client.ts';
import { startSandbox } from './support/start.ts';

describe('the balance operation', () => {
  it('returns every balance of the account with exact numbers', async () => {
    const balances = '{"BTC":"0.100000000000000001","USDT_TRC20":"9007199254740993.5"}';
    const { client } = await startSandbox({ settings: { BALANCES: balances } });
    const { text } = await client.call('ACCOUNT');
    expect(text).toContain(
      '"balances":[{"currency":"BTC","amount":0.100000000000000001},' +
        '{"currency":"USDT_TRC20","amount":9007199254740993.5}]',
    );
    expect(JSON.parse(text)).toMatchObject({
      account: ACCOUNT,
      name: expect.any(String),
      ownerId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    });
  });

  it('holds the documented currencies by default', async () => {
    const { client } = await startSandbox();
    const { balances } = JSON.parse((await client.call('ACCOUNT')).text) as {
      balances: { currency: string; amount: number }[];
    };
    expect(balances.map(({ currency }) => currency)).toEqual(
      expect.arrayContaining([
        'USDT_TRC20',
        'USDT_ERC20',
        'USDC_ERC20',
        'TRX',
        'ETH',
        'BTC',
        'SOL',
      ]),
    );
    expect(new Set(balances.map(({ amount }) => amount))).toEqual(new Set([1_000_000]));
  });

  it('refuses a payload, which it does not document', async () => {
    const { client } = await startSandbox();
    const reply = await client.call('ACCOUNT', { payload: '{}' });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_UNKNOWN']);
  });
});

const item = (fields: Record<string, string> = {}): string =>
  json({
    baseAmount: '100',
    currency: '"USDT_TRC20"',
    opType: '"WITHDRAWAL"',
    feeType: '"SERVICE"',
    ...fields,
  });

const feePayload = (...items: string[]) => ({
  account: undefined,
  payload: `{"items":[${items.join(',')}]}`,
});

describe('the fee pre-calculation', () => {
  const settings = { FEE_PERCENT: '0.3', FEE_FIX: '1.5' };

  it('quotes the tariff exactly: the sender pays it and the receiver nothing', async () => {
    const { client } = await startSandbox({ settings });
    const { text } = await client.call(
      'FEE_CALCULATION',
      feePayload(item({ baseAmount: '33.333333333333333333' })),
    );
    expect(text).toBe(
      '{"items":[{"amount":33.333333333333333333,"currency":"USDT_TRC20","opType":"WITHDRAWAL",' +
        '"feeReceiver":{"amount":33.333333333333333333,"fee":0,"fixedFee":0,"percentFee":0},' +
        '"feeSender":{"amount":34.933333333333333332999,"fee":1.599999999999999999999,' +
        '"fixedFee":1.5,"percentFee":0.099999999999999999999}}]}',
    );
  });

  it.each([
    ['SERVICE', 1.8],
    ['FIX', 1.5],
    ['PERCENT', 0.3],
  ])('quotes %s as %d', async (feeType, fee) => {
    const { client } = await startSandbox({ settings });
    const { text } = await client.call(
      'FEE_CALCULATION',
      feePayload(item({ feeType: JSON.stringify(feeType) })),
    );
    expect(JSON.parse(text)).toMatchObject({ items: [{ feeSender: { fee } }] });
  });

  it('answers each item in its place', async () => {
    const { client } = await startSandbox();
    const amounts = ['1', '2', '3'];
    const { text } = await client.call(
      'FEE_CALCULATION',
      feePayload(...amounts.map((baseAmount) => item({ baseAmount }))),
    );
    const { items } = JSON.parse(text) as { items: { amount: number }[] };
    expect(items.map(({ amount }) => amount)).toEqual([1, 2, 3]);
  });

  it.each([
    ['no items', '{"items":[]}', 'FIELD_INVALID'],
    ['no list', '{}', 'FIELD_INVALID'],
    ['an unknown operation', `{"items":[${item({ opType: '"GIFT"' })}]}`, 'FIELD_INVALID'],
    ['an unknown kind of fee', `{"items":[${item({ feeType: '"GIFT"' })}]}`, 'FIELD_INVALID'],
    ['an amount as text', `{"items":[${item({ baseAmount: '"1"' })}]}`, 'FIELD_INVALID'],
    ['a negative amount', `{"items":[${item({ baseAmount: '-1' })}]}`, 'FIELD_INVALID'],
    ['an unknown field', `{"items":[${item({ extra: '1' })}]}`, 'FIELD_UNKNOWN'],
  ])('refuses %s', async (_name, payload, code) => {
    const { client } = await startSandbox();
    const reply = await client.call('FEE_CALCULATION', { account: undefined, payload });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, code]);
  });

  it('has no account in its envelope', async () => {
    const { client } = await startSandbox();
    const account = JSON.stringify(ACCOUNT);
    const payload = `{"items":[${item()}]}`;
    const reply = await client.call('FEE_CALCULATION', { account, payload });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_UNKNOWN']);
  });
});
