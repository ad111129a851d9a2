import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { testAddress } from '../src/test-addresses.ts';
import { ACCOUNT, type Client, errorCodeOf, json, post } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { balance, create, createPayload, ledger, row, withdrawals } from './support/payouts.ts';
import { startSandbox, steps } from './support/start.ts';

type RequestJson = Readonly<{ n: number; operation: string; status: number | null }>;

async function requests(client: Client, query = '') {
  const { text } = await client.get(`/sandbox/requests${query}`);
  return JSON.parse(text) as { requests: RequestJson[]; next: number | null };
}

describe('GET /sandbox/health', () => {
  it('answers with the time of the sandbox', async () => {
    const { client } = await startSandbox({ settings: { CLOCK_OFFSET_MS: '-1000' } });
    expect(JSON.parse((await client.get('/sandbox/health')).text)).toEqual({
      status: 'ok',
      time: new Date(START_MS - 1_000).toISOString(),
    });
  });
});

describe('GET /sandbox/ledger', () => {
  it('ties every balance out', async () => {
    const { client } = await startSandbox({ settings: { BALANCES: '{"BTC":"1","TRX":"100.5"}' } });
    await create(client, [row('0.1')], { currency: '"TRX"' });
    expect((await ledger(client)).balances).toEqual([
      { account: ACCOUNT, currency: 'BTC', opening: '1', sum: '0', balance: '1', tiesOut: true },
      {
        account: ACCOUNT,
        currency: 'TRX',
        opening: '100.5',
        sum: '-0.101',
        balance: '100.399',
        tiesOut: true,
      },
    ]);
  });

  it('is read page by page', async () => {
    const { client } = await startSandbox();
    for (let count = 0; count < 3; count += 1) await create(client, [row('1')]);
    const amounts: string[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const { text } = await client.get(`/sandbox/ledger?limit=4&after=${after}`);
      const page = JSON.parse(text) as { entries: { amount: string }[]; next: number | null };
      amounts.push(...page.entries.map(({ amount }) => amount));
      after = page.next;
    }
    expect(amounts).toEqual(['-1', '-0.01', '-1', '-0.01', '-1', '-0.01']);
  });

  it.each(['?limit=0', '?limit=x', '?after=-1', '?other=1'])('refuses %s', async (query) => {
    const { client } = await startSandbox();
    expect((await client.get(`/sandbox/ledger${query}`)).status).toBe(400);
  });
});

describe('GET /sandbox/payouts', () => {
  it('lists every withdrawal with its result', async () => {
    const { client, clock } = await startSandbox();
    const failing = testAddress('0001', 1);
    const { id, idempotencyKey } = await create(
      client,
      [{ ...row('1'), comment: 'a-2' }, row('2', failing)],
      { externalId: '"x"' },
    );
    steps(clock, 3);
    expect(await withdrawals(client)).toEqual([
      {
        withdrawalId: `${id}-1`,
        massPayoutId: id,
        idempotencyKey,
        externalId: 'x',
        account: ACCOUNT,
        currency: 'USDT_TRC20',
        depositAddress: row('').address,
        amount: '1',
        fee: '0.01',
        comment: 'a-2',
        state: 'COMPLETED',
        errorMessage: null,
        errorResolved: null,
        massPayoutState: 'PARTIAL',
      },
      expect.objectContaining({
        withdrawalId: `${id}-2`,
        depositAddress: failing,
        state: 'FAILED',
        errorMessage: 'Destination rejected by compliance',
        errorResolved: false,
      }),
    ]);
  });

  it('lists nothing of nothing', async () => {
    const { client } = await startSandbox();
    expect(await withdrawals(client)).toEqual([]);
  });

  it('lists many mass payouts and large ones, each withdrawal once', async () => {
    const { client } = await startSandbox();
    for (let count = 0; count < 120; count += 1) await create(client, [row('1')]);
    const large = Array.from({ length: 2_500 }, (_, at) => ({ ...row('0.1'), comment: `c${at}` }));
    await create(client, large);
    const all = await withdrawals(client);
    expect(all).toHaveLength(2_620);
    expect(new Set(all.map(({ withdrawalId }) => withdrawalId)).size).toBe(2_620);
    expect(all.slice(120).map(({ comment }) => comment)).toEqual(
      large.map(({ comment }) => comment),
    );
  });
});

describe('GET /sandbox/requests', () => {
  it('contains each request and its answer', async () => {
    const { client, url } = await startSandbox();
    const key = randomUUID();
    const payload = createPayload([row('1')], { idempotencyKey: JSON.stringify(key) });
    const account = JSON.stringify(ACCOUNT);
    const body = json({ timestamp: String(START_MS + 5), account, payload });
    const reply = await post(`${url}/api/v1/payout/mass/create`, body);
    await client.call('MASS_CREATE', { payload: '{}' });
    await post(`${url}/api/v1/account`, 'x', { Key: 'other' });
    const common = { n: expect.any(Number), time: new Date(START_MS).toISOString(), fault: null };
    expect((await requests(client)).requests).toEqual([
      {
        ...common,
        operation: 'MASS_CREATE',
        status: 200,
        errorCode: null,
        idempotencyKey: key,
        timestampMs: START_MS + 5,
        bodySha256: createHash('sha256').update(body).digest('hex'),
        objectId: expect.any(String),
        requestBytes: body.length,
        answerBytes: reply.text.length,
        durationMs: 0,
        modes: null,
      },
      expect.objectContaining({
        operation: 'MASS_CREATE',
        status: 400,
        errorCode: 'FIELD_INVALID',
      }),
      expect.objectContaining({ operation: 'ACCOUNT', status: 401, errorCode: 'KEY_UNKNOWN' }),
    ]);
  });

  it('contains the fault of a request, and the decision', async () => {
    const { client } = await startSandbox();
    for (const kind of ['drop-before', 'accept-then-drop']) {
      await client.admin('POST', '/sandbox/faults', { target: 'ACCOUNT', kind, next: 1 });
      await expect(client.call('ACCOUNT')).rejects.toThrow();
    }
    expect((await requests(client)).requests).toMatchObject([
      { status: null, fault: 'drop-before' },
      { status: 200, fault: 'accept-then-drop' },
    ]);
  });

  it('is read page by page and survives a restart', async () => {
    const before = await startSandbox();
    for (let count = 0; count < 5; count += 1) await before.client.call('ACCOUNT');
    await before.close();
    const { client } = await startSandbox({ folder: before.folder, clock: before.clock });
    const first = await requests(client, '?limit=3');
    const second = await requests(client, `?limit=3&after=${first.next}`);
    expect([first.requests.length, second.requests.length, second.next]).toEqual([3, 2, null]);
  });
});

describe('POST /sandbox/top-up', () => {
  const topUp = (client: Client, fields: object) =>
    client.admin('POST', '/sandbox/top-up', { currency: 'USDT_TRC20', amount: '0.5', ...fields });

  it('adds to a balance', async () => {
    const { client } = await startSandbox();
    const { text } = await topUp(client, {});
    expect(JSON.parse(text)).toEqual({
      account: ACCOUNT,
      currency: 'USDT_TRC20',
      balance: '1000000.5',
    });
    expect((await ledger(client)).entries).toMatchObject([{ kind: 'TOP_UP', amount: '0.5' }]);
  });

  it('opens a balance in a new currency', async () => {
    const { client } = await startSandbox();
    await topUp(client, { currency: 'DOGE' });
    expect(await balance(client, 'DOGE')).toBe('0.5');
    const { balances } = await ledger(client, '?currency=DOGE');
    expect(balances).toMatchObject([{ opening: '0', sum: '0.5', tiesOut: true }]);
  });

  it('needs the account when there are several', async () => {
    const other = '0x00000000000000000000000000000000000000ff';
    const keys = [ACCOUNT, other].map((account) => `sandbox-key:sandbox-secret:${account}`);
    const { client } = await startSandbox({ settings: { KEYS: keys.join(',') } });
    expect((await topUp(client, {})).status).toBe(400);
    expect((await topUp(client, { account: other })).status).toBe(200);
  });

  it.each([
    ['an amount as a number', { amount: 1 }],
    ['an amount of 0', { amount: '0' }],
    ['a negative amount', { amount: '-1' }],
    ['an amount in words', { amount: 'one' }],
    ['no currency', { currency: '' }],
    ['an unknown account', { account: '0x00000000000000000000000000000000000000ff' }],
    ['an unknown field', { extra: 1 }],
  ])('refuses %s', async (_name, fields) => {
    const { client } = await startSandbox();
    expect((await topUp(client, fields)).status).toBe(400);
    expect(await balance(client)).toBe('1000000');
  });
});

describe('the admin API', () => {
  it('refuses other content types, so that no web page can use it unasked', async () => {
    const { url, client } = await startSandbox();
    const body = JSON.stringify({ currency: 'USDT_TRC20', amount: '1' });
    const headers = { 'Content-Type': 'text/plain' };
    const response = await fetch(`${url}/sandbox/top-up`, { method: 'POST', body, headers });
    expect(response.status).toBe(415);
    expect(await balance(client)).toBe('1000000');
  });

  it.each(['', '{', 'null', '[]', '1'])('refuses the body %j', async (body) => {
    const { url } = await startSandbox();
    const reply = await post(`${url}/sandbox/top-up`, body);
    expect(reply.status).toBe(400);
    expect(['JSON_INVALID', 'FIELD_INVALID']).toContain(errorCodeOf(reply));
  });

  it('has no other paths', async () => {
    const { client } = await startSandbox();
    expect((await client.get('/sandbox/nothing')).status).toBe(404);
  });
});
