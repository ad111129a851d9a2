import { describe, expect, it } from '@jest/globals';
import type { MerchantClient } from '@bursar/merchant-api';
import { failureOf, openClient, openServer } from './support/fixtures.ts';
import { pageOf, TRANSACTION, USER, WALLET } from './support/operation-cases.ts';
import { answering } from './support/raw-server.ts';

type Call = (client: MerchantClient) => Promise<{ value: unknown }>;

const CREATE: Call = (client) => client.createWallet({ name: 'Main', blockchain: 'TRON' });
const WALLETS: Call = (client) => client.listWallets();
const TRANSACTIONS: Call = (client) => client.listTransactions();
const READ_USER: Call = (client) => client.readUser();

async function clientOf(body: string): Promise<MerchantClient> {
  const server = await openServer({ onRequest: answering({ body }) });
  return openClient(server.url);
}

const without = (record: object, name: string): object =>
  Object.fromEntries(Object.entries(record).filter(([each]) => each !== name));

const names = (record: object, optional: readonly string[] = []): string[] =>
  Object.keys(record).filter((name) => !optional.includes(name));

/** Each record, where it stands in an answer, and the fields that it cannot do without. */
const RECORDS: readonly (readonly [string, Call, (record: object) => object, object, string[]])[] =
  [
    ['a wallet', CREATE, (record) => record, WALLET, names(WALLET)],
    ['a wallet of a page', WALLETS, (record) => pageOf([record]), WALLET, names(WALLET)],
    [
      'a balance of a wallet',
      CREATE,
      (record) => ({ ...WALLET, balances: [record] }),
      WALLET.balances[0] ?? {},
      ['currency', 'amount', 'token'],
    ],
    [
      'a transaction',
      TRANSACTIONS,
      (record) => pageOf([record]),
      TRANSACTION,
      ['amount', 'currency', 'opCode'],
    ],
    ['a page', WALLETS, (record) => record, pageOf([WALLET]), names(pageOf([]))],
    ['a user', READ_USER, (record) => record, USER, names(USER)],
    [
      'the particulars of a user',
      READ_USER,
      (record) => ({ ...USER, userFullInfo: record }),
      USER.userFullInfo,
      names(USER.userFullInfo, ['companyId', 'companyName']),
    ],
    [
      'a permission group',
      READ_USER,
      (record) => ({
        ...USER,
        permissions: [{ accountId: 'a', accountName: '', permissionGroups: [record] }],
      }),
      USER.permissions[0]?.permissionGroups[0] ?? {},
      ['groupId', 'name', 'permissionData'],
    ],
  ];

describe.each(RECORDS)('reading %s', (_what, call, answerOf, record, required) => {
  it.each(required)('needs %s, of its type', async (name) => {
    for (const spoiled of [without(record, name), { ...record, [name]: null }]) {
      const client = await clientOf(JSON.stringify(answerOf(spoiled)));
      expect(await failureOf(call(client))).toMatchObject({ kind: 'unreadable', httpStatus: 200 });
    }
    const client = await clientOf(JSON.stringify(answerOf({ ...record, [name]: { a: [1] } })));
    expect((await failureOf(call(client))).reason).toContain(name);
  });

  it('ignores what it does not know', async () => {
    const plain = await call(await clientOf(JSON.stringify(answerOf(record))));
    const more = { more: { a: [1, null] }, ...record, most: 'x' };
    const grown = await call(await clientOf(JSON.stringify(answerOf(more))));
    expect(grown.value).toEqual(plain.value);
  });
});

describe('amounts', () => {
  it('of wallets keep every digit', async () => {
    const body = JSON.stringify(WALLET).replace('"12.5"', '1234567890123456789.000000000000000010');
    const { value } = await (await clientOf(body)).createWallet({ name: '', blockchain: 'TRON' });
    expect(value.balances).toEqual([
      { currency: 'USDT_TRC20', amount: '1234567890123456789.00000000000000001', token: true },
    ]);
  });

  it('of transactions may be written in any way', async () => {
    const body = JSON.stringify(pageOf([TRANSACTION])).replace('"0.1"', '1E-7');
    const { value } = await (await clientOf(body)).listTransactions();
    expect(value.result[0]?.serviceFee).toBe('0.0000001');
  });
});

describe('a transaction that is not in the chain yet', () => {
  it.each(names(TRANSACTION).filter((name) => !['amount', 'currency', 'opCode'].includes(name)))(
    'may lack %s; the rest of its page stays readable',
    async (name) => {
      for (const young of [without(TRANSACTION, name), { ...TRANSACTION, [name]: null }]) {
        const client = await clientOf(JSON.stringify(pageOf([young, TRANSACTION])));
        const { value } = await client.listTransactions();
        expect(value.result).toEqual([without(TRANSACTION, name), TRANSACTION]);
      }
    },
  );
});

describe('values that nobody has heard of', () => {
  it('are kept: operation codes and roles', async () => {
    const page = pageOf([{ ...TRANSACTION, opCode: 'A_NEW_CODE' }]);
    const transactions = await (await clientOf(JSON.stringify(page))).listTransactions();
    expect(transactions.value.result[0]?.opCode).toBe('A_NEW_CODE');
    const user = { ...USER, userFullInfo: { ...USER.userFullInfo, roles: ['A_NEW_ROLE'] } };
    const read = await (await clientOf(JSON.stringify(user))).readUser();
    expect(read.value.userFullInfo.roles).toEqual(['A_NEW_ROLE']);
  });
});

describe('what stands where a wallet is expected', () => {
  it.each([
    ['a part of one', '{"address":"T1","name":"n"}', { address: 'T1', name: 'n' }],
    ['a list', `[{"amount":1.50}]`, [{ amount: '1.5' }]],
    ['a number out of bounds', '{"n":1E400}', { n: '1E400' }],
    ['a prototype', '{"__proto__":{"a":true}}', JSON.parse('{"__proto__":{"a":true}}')],
    ['nothing', '', null],
  ])('is kept when it is %s', async (_what, body, content) => {
    const client = await clientOf(body);
    const found = await client.lookupAddress({ address: 'T1' });
    expect(found.value).toEqual({ kind: 'other', content });
    const renamed = await client.renameWallet({ address: 'T1', name: 'n' });
    expect(renamed.value).toEqual({ kind: 'other', content });
  });
});

describe('permission data of another kind', () => {
  it('is unreadable, and its names are in no error', async () => {
    const body = JSON.stringify(USER).replace('{"k":"v"}', '{"CANARY":1}');
    const error = await failureOf((await clientOf(body)).readUser());
    expect(error.reason).toBe(
      'its field permissions.0.permissionGroups.0.permissionData is missing or has another type',
    );
  });
});
