import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, errorCodeOf, type Fields } from './support/client.ts';
import { balance, create, createPayload, ledger, read, row, rowsJson } from './support/payouts.ts';
import { startSandbox, steps } from './support/start.ts';

/** Other work on the computer can slow down the large request. */
const LARGE_TIMEOUT_MS = 120_000;

describe('creating a mass payout', () => {
  it('answers the documented record with exact sums', async () => {
    const { client } = await startSandbox({ settings: { FEE_PERCENT: '0.3', FEE_FIX: '0.07' } });
    const idempotencyKey = randomUUID();
    const rows = [row('0.100000000000000001'), row('0.2'), row('1E-8')];
    const { text } = await client.call('MASS_CREATE', {
      payload: createPayload(rows, {
        idempotencyKey: JSON.stringify(idempotencyKey),
        name: '"salaries"',
        comment: '"November"',
        externalId: '"payroll/1/0"',
        executionDate: '"2026-11-20T13:00:00+02:00"',
      }),
    });
    expect(text).toContain('"totalWithdrawalAmount":0.300000010000000001,');
    expect(text).toContain('"totalFee":0.210900000030000000003,"totalFeePercentage":0.3,');
    expect(JSON.parse(text)).toEqual({
      id: expect.any(String),
      idempotencyKey,
      companyId: expect.any(String),
      account: ACCOUNT,
      state: 'CREATION_IN_PROGRESS',
      comment: 'November',
      name: 'salaries',
      currency: 'USDT_TRC20',
      totalWithdrawalAmount: expect.any(Number),
      totalFee: expect.any(Number),
      totalFeePercentage: 0.3,
      executionDate: '2026-11-20T13:00:00+02:00',
      externalId: 'payroll/1/0',
    });
  });

  it('debits the sum and the fees at once', async () => {
    const { client } = await startSandbox();
    await create(client, [row('100'), row('0.5')]);
    expect(await balance(client)).toBe('999898.495');
    const { entries } = await ledger(client);
    expect(entries).toMatchObject([
      { kind: 'PAYOUT', amount: '-100.5' },
      { kind: 'FEE', amount: '-1.005' },
    ]);
  });

  it('takes a key in upper case for the same key', async () => {
    const { client } = await startSandbox();
    const key = randomUUID();
    const rows = [row('1')];
    const first = await create(client, rows, { idempotencyKey: JSON.stringify(key) });
    const again = await create(client, rows, { idempotencyKey: JSON.stringify(key.toUpperCase()) });
    expect(again.id).toBe(first.id);
  });
});

describe('the funds', () => {
  const settings = { BALANCES: '{"USDT_TRC20":"101"}' };

  it('may be used up to the last unit', async () => {
    const { client } = await startSandbox({ settings });
    await create(client, [row('100')]);
    expect(await balance(client)).toBe('0');
  });

  it('one unit short refuses the payout and debits nothing', async () => {
    const { client } = await startSandbox({ settings });
    const payload = createPayload([row('100.000000000000000001')]);
    const reply = await client.call('MASS_CREATE', { payload });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'INSUFFICIENT_FUNDS']);
    expect(await balance(client)).toBe('101');
    expect((await ledger(client)).entries).toEqual([]);
  });

  it('of another currency do not count', async () => {
    const { client } = await startSandbox({ settings });
    const payload = createPayload([row('1')], { currency: '"BTC"' });
    expect(errorCodeOf(await client.call('MASS_CREATE', { payload }))).toBe('INSUFFICIENT_FUNDS');
  });

  it('serve a refused payout once they were topped up, with the same key', async () => {
    const { client } = await startSandbox({ settings });
    const payload = createPayload([row('200')]);
    const refused = await client.call('MASS_CREATE', { payload });
    await client.admin('POST', '/sandbox/top-up', { currency: 'USDT_TRC20', amount: '101' });
    const accepted = await client.call('MASS_CREATE', { payload });
    expect([refused.status, accepted.status]).toEqual([400, 200]);
    expect(await balance(client)).toBe('0');
  });
});

describe('a repeated idempotency key', () => {
  const key = { idempotencyKey: JSON.stringify(randomUUID()) };

  it('is answered by the same record in its state of now, and debited once', async () => {
    const { client, clock } = await startSandbox();
    const first = await create(client, [row('5')], key);
    steps(clock, 2);
    const again = await create(client, [row('5')], key);
    expect(again).toEqual({ ...first, state: 'IN_PROGRESS' });
    expect(await balance(client)).toBe('999994.95');
  });

  it('counts as the same request however its JSON is written', async () => {
    const { client } = await startSandbox();
    const first = await create(client, [row('5')], key);
    const payload =
      `{ "idempotencyKey":${key.idempotencyKey}, "massAddresses":[{"amount":5.00E0,` +
      `"depositAddress":"${row('').address}"}],\n "currency":"USDT\\u005fTRC20"}`;
    const again = await client.call('MASS_CREATE', { payload });
    expect(JSON.parse(again.text)).toMatchObject({ id: first.id });
  });

  it.each<[string, string, Fields]>([
    ['another amount', '5.000000000000000001', {}],
    ['another name', '5', { name: '"x"' }],
    ['another comment', '5', { comment: '"x"' }],
    ['another reference', '5', { externalId: '"x"' }],
    ['another currency', '5', { currency: '"TRX"' }],
    ['another date', '5', { executionDate: '"2026-12-01T00:00:00Z"' }],
    ['one recipient more', '5', { massAddresses: rowsJson([row('5'), row('5')]) }],
  ])('with %s is refused as a conflict', async (_name, amount, fields) => {
    const { client } = await startSandbox();
    await create(client, [row('5')], key);
    const payload = createPayload([row(amount)], { ...key, ...fields });
    const reply = await client.call('MASS_CREATE', { payload });
    expect([reply.status, errorCodeOf(reply)]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
    expect(await balance(client)).toBe('999994.95');
  });

  it('belongs to one account only', async () => {
    const other = '0x00000000000000000000000000000000000000ff';
    const keys = [ACCOUNT, other].map((account) => `sandbox-key:sandbox-secret:${account}`);
    const { client } = await startSandbox({ settings: { KEYS: keys.join(',') } });
    const first = await create(client, [row('5')], key);
    const second = await client.call('MASS_CREATE', {
      account: JSON.stringify(other),
      payload: createPayload([row('5')], key),
    });
    expect(second.status).toBe(200);
    expect(JSON.parse(second.text)).not.toMatchObject({ id: first.id });
  });
});

describe('a wrong payload', () => {
  const massAddress = '{"depositAddress":"a","amount":1';

  it.each<[string, Fields, string]>([
    ['no currency', { currency: undefined }, 'FIELD_INVALID'],
    ['no recipients', { massAddresses: undefined }, 'FIELD_INVALID'],
    ['an empty list', { massAddresses: '[]' }, 'FIELD_INVALID'],
    ['no key', { idempotencyKey: undefined }, 'FIELD_INVALID'],
    ['a key that is no UUID', { idempotencyKey: '"abc"' }, 'FIELD_INVALID'],
    ['an unknown field', { extra: '1' }, 'FIELD_UNKNOWN'],
    ['__proto__', { ['__proto__']: '{"a":1}' }, 'FIELD_UNKNOWN'],
    ['a date without a time', { executionDate: '"2026-12-01"' }, 'FIELD_INVALID'],
    ['a date without a zone', { executionDate: '"2026-12-01T00:00:00"' }, 'FIELD_INVALID'],
    ['a date that does not exist', { executionDate: '"2026-02-30T00:00:00Z"' }, 'FIELD_INVALID'],
    ['null for a text', { name: 'null' }, 'FIELD_INVALID'],
    ['half of a surrogate pair', { name: '"\\ud800"' }, 'FIELD_INVALID'],
    ['a NUL character', { comment: '"a\\u0000b"' }, 'FIELD_INVALID'],
    ['an amount of 0', { massAddresses: rowsJson([row('0')]) }, 'FIELD_INVALID'],
    ['a negative amount', { massAddresses: rowsJson([row('-1')]) }, 'FIELD_INVALID'],
    ['an amount as text', { massAddresses: rowsJson([row('"1"')]) }, 'FIELD_INVALID'],
    ['a huge exponent', { massAddresses: rowsJson([row('1e400')]) }, 'FIELD_INVALID'],
    ['41 fraction digits', { massAddresses: rowsJson([row('1e-41')]) }, 'FIELD_INVALID'],
    ['an empty address', { massAddresses: rowsJson([row('1', '')]) }, 'FIELD_INVALID'],
    ['no address', { massAddresses: '[{"amount":1}]' }, 'FIELD_INVALID'],
    ['no amount', { massAddresses: '[{"depositAddress":"a"}]' }, 'FIELD_INVALID'],
    ['an unknown field of a row', { massAddresses: `[${massAddress},"x":1}]` }, 'FIELD_UNKNOWN'],
    ['a field given twice', { massAddresses: `[${massAddress},"amount":2}]` }, 'JSON_INVALID'],
  ])('with %s is refused and changes nothing', async (_name, fields, code) => {
    const { client } = await startSandbox();
    const payload = createPayload([row('1')], fields);
    const reply = await client.call('MASS_CREATE', { payload });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, code]);
    expect((await ledger(client)).entries).toEqual([]);
  });

  it.each<[string, Fields, string]>([
    ['an unknown field', { extra: '1' }, 'FIELD_UNKNOWN'],
    ['no account', { account: undefined }, 'FIELD_INVALID'],
    ['no timestamp', { timestamp: undefined }, 'FIELD_INVALID'],
  ])('in an envelope with %s is refused', async (_name, fields, code) => {
    const { client } = await startSandbox();
    const payload = createPayload([row('1')]);
    const reply = await client.call('MASS_CREATE', { payload, ...fields });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, code]);
  });

  it('is described by field, without its values', async () => {
    const { client } = await startSandbox();
    const payload = createPayload([row('1'), row('"secret-amount"')]);
    const { message } = JSON.parse((await client.call('MASS_CREATE', { payload })).text) as {
      message: string;
    };
    expect(message).toContain('payload.massAddresses.1.amount');
    expect(message).not.toContain('secret-amount');
  });
});

describe('the settings of the create operation', () => {
  it('can limit how many recipients it takes', async () => {
    const { client } = await startSandbox({ settings: { WITHDRAWALS_MAX: '2' } });
    const tooMany = createPayload([row('1'), row('1'), row('1')]);
    const reply = await client.call('MASS_CREATE', { payload: tooMany });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'TOO_MANY_ROWS']);
    expect((await create(client, [row('1'), row('1')])).state).toBe('CREATION_IN_PROGRESS');
  });

  it(
    'take 100,000 recipients in one request',
    async () => {
      const { client, clock } = await startSandbox();
      const rows = Array.from({ length: 100_000 }, () => row('0.001'));
      const { id } = await create(client, rows);
      expect(await balance(client)).toBe('999899');
      steps(clock, 3);
      expect((await read(client, id)).state).toBe('COMPLETED');
    },
    LARGE_TIMEOUT_MS,
  );
});

describe('the paths', () => {
  it('of an operation can be moved', async () => {
    const settings = { ENDPOINT_ACCOUNT: '/v9/balance' };
    const { url, client } = await startSandbox({ settings });
    expect((await client.call('ACCOUNT')).status).toBe(404);
    expect((await fetch(`${url}/v9/balance`, { method: 'POST' })).status).toBe(401);
  });

  it('of an operation that is switched off are not served', async () => {
    const { client } = await startSandbox({ settings: { ENDPOINT_LOOKUP: '' } });
    const reply = await client.call('LOOKUP', { payload: '{"id":"x"}' });
    expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'PATH_UNKNOWN']);
  });
});
