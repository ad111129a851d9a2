import { describe, expect, it } from '@jest/globals';
import { testAddress } from '../src/test-addresses.ts';
import { act, good } from './support/admin.ts';
import { type Client, errorCodeOf } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { create, lookUp, PLAIN_ADDRESS, row } from './support/payouts.ts';
import { STEP_MS, type Started, startSandbox, steps } from './support/start.ts';
import { listTransactions, transactions, wallets } from './support/wallets.ts';

const topUp = (client: Client, fields: object) =>
  client.admin('POST', '/sandbox/top-up', { currency: 'USDT_TRC20', amount: '5', ...fields });

/** A top-up, 3 paid and 1 failed withdrawal, 2 paid withdrawals in BTC, a top-up, a resend. */
async function startWithHistory(): Promise<Started & { id: string }> {
  const sandbox = await startSandbox();
  const { client, clock } = sandbox;
  await topUp(client, {});
  const { id } = await create(client, [
    row('1'),
    row('2'),
    row('3', testAddress('0001', 1)),
    row('4', testAddress('0000', 9)),
  ]);
  steps(clock, 3);
  await create(client, [row('0.1'), row('0.2')], { currency: '"BTC"' });
  steps(clock, 3);
  await topUp(client, { currency: 'BTC', amount: '7', opCode: 'TOP_UP' });
  await act(client, 'resend', { id });
  steps(clock, 1);
  return { ...sandbox, id };
}

const amountsOf = async (client: Client, fields = {}): Promise<number[]> =>
  (await transactions(client, { pageSize: '100', ...fields })).result.map(({ amount }) => amount);

describe('transactions', () => {
  it('are top-ups and paid withdrawals, in the order in which they came about', async () => {
    const { client } = await startWithHistory();
    expect(await amountsOf(client)).toEqual([5, 1, 2, 4, 0.1, 0.2, 7, 3]);
  });

  it('of withdrawals have the facts of their records', async () => {
    const { client, id } = await startWithHistory();
    const { result } = await transactions(client, { currency: '"USDT_TRC20"' });
    const last = JSON.parse((await lookUp(client, `${id}-4`)).text);
    expect(result[3]).toEqual({
      amount: 4,
      currency: 'USDT_TRC20',
      opCode: 'SETTLEMENT_MASS_WITHDRAWAL',
      serviceFee: last.fee,
      serviceFeeCurrency: last.feeCurrency,
      networkFee: last.blockchainFee,
      networkFeeCurrency: last.blockchainFeeCurrency,
      transactionHash: last.transactionHash,
      createdDate: new Date(START_MS + 3 * STEP_MS).toISOString(),
      addressTo: last.depositAddress,
    });
    const resent = JSON.parse((await lookUp(client, `${id}-3`)).text);
    expect(result[4]).toMatchObject({
      amount: 3,
      transactionHash: resent.transactionHash,
      createdDate: new Date(START_MS + 7 * STEP_MS).toISOString(),
    });
  });

  it('of top-ups go to the wallet of the currency and cost nothing', async () => {
    const { client } = await startWithHistory();
    const [wallet] = (await wallets(client, { blockchain: '"TRON"' })).result;
    const { result } = await transactions(client, { opcodes: '["SETTLEMENT_TOP_UP"]' });
    expect(result).toEqual([
      {
        amount: 5,
        currency: 'USDT_TRC20',
        opCode: 'SETTLEMENT_TOP_UP',
        serviceFee: 0,
        serviceFeeCurrency: 'USDT_TRC20',
        networkFee: 0,
        networkFeeCurrency: 'USDT_TRC20',
        transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        createdDate: new Date(START_MS).toISOString(),
        addressTo: wallet?.address,
      },
    ]);
  });

  it('are not there before something was paid', async () => {
    const { client, clock } = await startSandbox();
    await create(client, [row('1')]);
    steps(clock, 2);
    expect(await transactions(client)).toMatchObject({ result: [], total: 0, totalElements: 0 });
  });

  it('survive a restart', async () => {
    const before = await startWithHistory();
    const page = await transactions(before.client, { pageSize: '100' });
    await before.close();
    const { client } = await startSandbox(before);
    expect(await transactions(client, { pageSize: '100' })).toEqual(page);
  });
});

describe('TRANSACTION_LIST', () => {
  it.each([
    [{ currency: '"BTC"' }, [0.1, 0.2, 7]],
    [{ currency: '"ETH"' }, []],
    [{ opcodes: '["TOP_UP","SETTLEMENT_TOP_UP"]' }, [5, 7]],
    [{ opcodes: '["SETTLEMENT_MASS_WITHDRAWAL"]' }, [1, 2, 4, 0.1, 0.2, 3]],
    [{ opcodes: '["FEE"]' }, []],
    [{ opcodes: '[]' }, [5, 1, 2, 4, 0.1, 0.2, 7, 3]],
    [{ addressTo: JSON.stringify(PLAIN_ADDRESS) }, [1, 2, 0.1, 0.2]],
    [{ addressTo: JSON.stringify(testAddress('0001', 1)) }, [3]],
    [{ addressTo: JSON.stringify(testAddress('0000', 9)), currency: '"BTC"' }, []],
    [{ addressTo: '"nobody"' }, []],
    [{ sort: '"DESC"' }, [3, 7, 0.2, 0.1, 4, 2, 1, 5]],
    [{ properties: '"currency"' }, [0.1, 0.2, 7, 5, 1, 2, 4, 3]],
    [{ properties: '"opCode"' }, [1, 2, 4, 0.1, 0.2, 3, 5, 7]],
    [{ properties: '"opCode"', sort: '"DESC"' }, [7, 5, 3, 0.2, 0.1, 4, 2, 1]],
  ])('with %j finds %j', async (fields, amounts) => {
    const { client } = await startWithHistory();
    expect(await amountsOf(client, fields)).toEqual(amounts);
    expect(await transactions(client, fields)).toMatchObject({ totalElements: amounts.length });
  });

  it('filters by the wallet through which they went, and by the one they went to', async () => {
    const { client } = await startWithHistory();
    const [bitcoin] = (await wallets(client, { blockchain: '"BITCOIN"' })).result;
    const address = JSON.stringify(bitcoin?.address);
    expect(await amountsOf(client, { walletAddress: address })).toEqual([0.1, 0.2, 7]);
    expect(await amountsOf(client, { addressTo: address })).toEqual([7]);
    expect(await amountsOf(client, { walletAddress: '"x"' })).toEqual([]);
  });

  it.each([1, 2, 3, 5, 8])('in pages of %d misses none and repeats none', async (pageSize) => {
    const { client } = await startWithHistory();
    for (const sort of ['"ASC"', '"DESC"']) {
      const all = await amountsOf(client, { sort });
      const found: number[] = [];
      for (let page = 1; page <= Math.ceil(8 / pageSize); page += 1) {
        const fields = { sort, pageNumber: String(page), pageSize: String(pageSize) };
        found.push(...(await amountsOf(client, fields)));
      }
      expect(found).toEqual(all);
    }
  });

  it.each([
    ['properties', undefined],
    ['properties', '"amount"'],
    ['opcodes', '["GIFT"]'],
    ['opcodes', '"FEE"'],
    ['opcodes', JSON.stringify(Array(101).fill('FEE'))],
    ['currency', '1'],
    ['walletAddress', 'null'],
  ])('refuses %s %s', async (field, value) => {
    const { client } = await startSandbox();
    const reply = await listTransactions(client, { [field]: value });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
  });
});

it('GET /sandbox/movements lists top-ups and paid withdrawals, with sums as text', async () => {
  const { client, id } = await startWithHistory();
  const { movements, next } = good<{ movements: object[]; next: number | null }>(
    await client.get('/sandbox/movements'),
  );
  expect(movements).toMatchObject([
    { opCode: 'SETTLEMENT_TOP_UP', transactions: 1, amount: '5', fee: '0', massPayoutId: null },
    { transactions: 3, amount: '7', fee: '0.07', massPayoutId: id, isResend: false },
    { currency: 'BTC', transactions: 2, amount: '0.3', fee: '0.003' },
    { opCode: 'TOP_UP', transactions: 1, amount: '7' },
    { transactions: 1, amount: '3', fee: '0.03', massPayoutId: id, isResend: true },
  ]);
  expect(next).toBeNull();
});
