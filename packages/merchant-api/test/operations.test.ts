import { describe, expect, it } from '@jest/globals';
import type { FeeItem, Reference } from '@bursar/merchant-api';
import { ACCOUNT, failureOf, IDEMPOTENCY_KEY, openClient, openServer } from './support/fixtures.ts';
import { answering, type RawServer } from './support/raw-server.ts';

const timestampMs = 1_763_678_400_000;
const FEE_ITEM: FeeItem = {
  baseAmount: '10',
  currency: 'USDT_TRC20',
  opType: 'WITHDRAWAL',
  feeType: 'SERVICE',
};

const answeringJson = (body: string): Promise<RawServer> =>
  openServer({ onRequest: answering({ body }) });
const bodiesOf = (server: RawServer): string[] => server.requests.map(({ body }) => body);

describe('readBalance', () => {
  const BODY = `{"account":"${ACCOUNT}","name":"Main","ownerId":null,"balances":[
    {"currency":"USDT_TRC20","amount":1234567890123456789.000000000000000001},
    {"currency":"BTC","amount":1E-8},{"currency":"EUR","amount":"-0.50"}]}`;

  it('reads every balance without losing a digit', async () => {
    const server = await answeringJson(BODY);
    const { value } = await openClient(server.url).readBalance({}, { timestampMs });
    expect(value).toEqual({
      account: ACCOUNT,
      name: 'Main',
      balances: [
        { currency: 'USDT_TRC20', amount: '1234567890123456789.000000000000000001' },
        { currency: 'BTC', amount: '0.00000001' },
        { currency: 'EUR', amount: '-0.5' },
      ],
      unreadableParts: [],
    });
    expect(bodiesOf(server)).toEqual([`{"timestamp":${timestampMs},"account":"${ACCOUNT}"}`]);
  });

  it('asks for another account when told so, in either form of an id', async () => {
    const server = await answeringJson(BODY);
    const client = openClient(server.url);
    const account = '1c5f7c3e-0d1b-4e8a-8a0f-2f4b8f6f9d10';
    await client.readBalance({ account }, { timestampMs });
    expect(bodiesOf(server)).toEqual([`{"timestamp":${timestampMs},"account":"${account}"}`]);
  });

  it('unwraps {data}', async () => {
    const server = await answeringJson(`{"data":${BODY}}`);
    const { value } = await openClient(server.url).readBalance();
    expect(value.name).toBe('Main');
  });
});

describe('readMassPayout', () => {
  it.each<[string, Reference, string]>([
    ['id', { id: 'mp-1' }, '{"id":"mp-1"}'],
    [
      'idempotency key',
      { idempotencyKey: IDEMPOTENCY_KEY },
      `{"idempotencyKey":"${IDEMPOTENCY_KEY}"}`,
    ],
  ])('asks by %s', async (_what, reference, payload) => {
    const server = await answeringJson('{"id":"mp-1","state":"COMPLETED"}');
    const answer = await openClient(server.url).readMassPayout(reference, { timestampMs });
    expect(answer.value).toEqual({
      id: 'mp-1',
      state: 'COMPLETED',
      withdrawalErrors: [],
      unreadableParts: [],
    });
    expect(bodiesOf(server)).toEqual([
      `{"timestamp":${timestampMs},"account":"${ACCOUNT}","payload":${payload}}`,
    ]);
  });

  it('reads a whole record', async () => {
    const server = await answeringJson(`{"id":"mp-1","idempotencyKey":"${IDEMPOTENCY_KEY}",
      "companyId":"c-1","account":"${ACCOUNT}","state":"PARTIAL","comment":"c","name":"n",
      "currency":"USDT_TRC20","totalWithdrawalAmount":1000.50,"totalFee":9.90,
      "totalFeePercentage":1,"executionDate":"2026-11-20T10:00:00Z","externalId":"b/1/0",
      "errors":{"withdrawalErrors":[{"withdrawalId":"w-1","errors":[
        {"id":9007199254740993,"status":"FAILED","errorResolved":false,
         "errorMessage":"no gas"},{}]},
        {"withdrawalId":"w-2"}]}}`);
    const { value } = await openClient(server.url).readMassPayout({ id: 'mp-1' });
    expect(value).toEqual({
      id: 'mp-1',
      idempotencyKey: IDEMPOTENCY_KEY,
      companyId: 'c-1',
      account: ACCOUNT,
      state: 'PARTIAL',
      comment: 'c',
      name: 'n',
      currency: 'USDT_TRC20',
      totalWithdrawalAmount: '1000.5',
      totalFee: '9.9',
      totalFeePercentage: '1',
      executionDate: '2026-11-20T10:00:00Z',
      externalId: 'b/1/0',
      unreadableParts: [],
      withdrawalErrors: [
        {
          withdrawalId: 'w-1',
          errors: [
            {
              id: '9007199254740993',
              status: 'FAILED',
              errorResolved: false,
              errorMessage: 'no gas',
            },
            {},
          ],
        },
        { withdrawalId: 'w-2', errors: [] },
      ],
    });
  });
});

describe('calculateFees', () => {
  it('sends exact items without an account and reads the quotes', async () => {
    const server = await answeringJson(`{"items":[{"amount":10,"currency":"USDT_TRC20",
      "opType":"WITHDRAWAL","feeSender":{"amount":10.10,"fee":0.1,"percentFee":1},
      "feeReceiver":{"amount":10,"fee":0,"fixedFee":null}}]}`);
    const client = openClient(server.url);
    const { value } = await client.calculateFees(
      { items: [{ ...FEE_ITEM, baseAmount: '10.00' }] },
      { timestampMs },
    );
    expect(value).toEqual([
      {
        amount: '10',
        currency: 'USDT_TRC20',
        opType: 'WITHDRAWAL',
        feeSender: { amount: '10.1', fee: '0.1', percentFee: '1' },
        feeReceiver: { amount: '10', fee: '0' },
      },
    ]);
    expect(bodiesOf(server)).toEqual([
      `{"timestamp":${timestampMs},"payload":{"items":[{"baseAmount":10,"currency":"USDT_TRC20",` +
        `"opType":"WITHDRAWAL","feeType":"SERVICE"}]}}`,
    ]);
  });

  it('does not take an answer without a single quote', async () => {
    const server = await answeringJson('{"items":[]}');
    const error = await failureOf(openClient(server.url).calculateFees({ items: [FEE_ITEM] }));
    expect(error.kind).toBe('unreadable');
  });
});

describe('lookup', () => {
  it.each([
    [
      'a payout by its address',
      '{"id":"1","state":"FAILED","depositAddress":"T1","amount":5}',
      'payout',
    ],
    [
      'a payout by its address, with any addition',
      '{"id":"1","state":"X","depositAddress":"T1","name":"n"}',
      'payout',
    ],
    ['a payout by its hash', '{"id":"1","state":"COMPLETED","transactionHash":"0xab"}', 'payout'],
    [
      'a mass payout by its total',
      '{"id":"1","state":"PARTIAL","totalWithdrawalAmount":5}',
      'massPayout',
    ],
    [
      'a mass payout to which an amount was added',
      '{"id":"1","state":"PARTIAL","totalFee":5,"amount":5}',
      'massPayout',
    ],
    [
      'a mass payout by its external id',
      '{"id":"1","state":"PARTIAL","externalId":"b/1/0"}',
      'massPayout',
    ],
    [
      'a mass payout whose depositAddress is null',
      '{"id":"1","state":"X","name":"n","depositAddress":null}',
      'massPayout',
    ],
  ])('recognises %s, wrapped or not', async (_what, record, kind) => {
    for (const body of [record, `{"data":${record}}`]) {
      const server = await answeringJson(body);
      const { value } = await openClient(server.url).lookup({ id: '1' });
      expect(value).toMatchObject({ kind, id: '1' });
    }
  });

  it.each([
    '{"id":"1","state":"X"}',
    '{"data":{"id":"1","state":"X"}}',
    '[]',
    '"x"',
    'null',
    '{"data":null}',
  ])('does not guess what %s is', async (body) => {
    const server = await answeringJson(body);
    const error = await failureOf(openClient(server.url).lookup({ id: '1' }));
    expect(error).toMatchObject({ kind: 'unreadable', httpStatus: 200 });
  });

  it('reads a whole payout, with its errors as text', async () => {
    const server = await answeringJson(`{"id":"w-1","account":"${ACCOUNT}","depositAddress":"T1",
      "amount":12.50,"currency":"USDT_TRC20","fee":0.10,"feePercentage":0.8,
      "feeCurrency":"USDT_TRC20",
      "blockchainFee":1E-8,"blockchainFeeCurrency":"TRX","state":"NEW_STATE",
      "createdDate":"2026-11-20T10:00:00Z","transactionHash":"0xab","comment":"c",
      "idempotencyKey":"${IDEMPOTENCY_KEY}","errors":{"code" : 1.50, "list":[null,true]}}`);
    const { value } = await openClient(server.url).lookup({ id: 'w-1' });
    expect(value).toEqual({
      kind: 'payout',
      id: 'w-1',
      account: ACCOUNT,
      depositAddress: 'T1',
      amount: '12.5',
      currency: 'USDT_TRC20',
      fee: '0.1',
      feePercentage: '0.8',
      feeCurrency: 'USDT_TRC20',
      blockchainFee: '0.00000001',
      blockchainFeeCurrency: 'TRX',
      state: 'NEW_STATE',
      createdDate: '2026-11-20T10:00:00Z',
      transactionHash: '0xab',
      comment: 'c',
      idempotencyKey: IDEMPOTENCY_KEY,
      errors: '{"code":1.50,"list":[null,true]}',
      unreadableParts: [],
    });
  });

  const BY_WHOM = {
    canceledByUserId: 'u-1',
    canceledByFirstname: 'Ada',
    canceledByLastname: 'Example',
    cancelMessage: 'twice',
  };

  it.each([
    ['a payout', { id: 'w-1', state: 'CANCELED', depositAddress: 'T1' }],
    ['a mass payout', { id: 'mp-1', state: 'CANCELED', totalFee: 1 }],
  ])('reads who canceled %s, and passes over what is none', async (_what, record) => {
    const cancellationOf = async (cancellation: unknown) => {
      const server = await answeringJson(JSON.stringify({ ...record, cancellation }));
      return (await openClient(server.url).lookup({ id: 'x' })).value.cancellation;
    };
    expect(await cancellationOf({ ...BY_WHOM, more: 1 })).toEqual(BY_WHOM);
    for (const other of ['twice', 7, {}, { ...BY_WHOM, cancelMessage: 7 }, null]) {
      expect(await cancellationOf(other)).toBeUndefined();
    }
  });
});
