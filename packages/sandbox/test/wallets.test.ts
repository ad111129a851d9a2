import { describe, expect, it } from '@jest/globals';
import { BLOCKCHAINS } from '../src/core/blockchains.ts';
import { OPERATION_CODES } from '@bursar/merchant-api/spec';
import { good } from './support/admin.ts';
import { type Client, errorCodeOf } from './support/client.ts';
import { startSandbox } from './support/start.ts';
import { createWallet, listWallets, type WalletJson, wallets } from './support/wallets.ts';

const lookUp = (client: Client, address: string) =>
  client.call('LOOKUP_ADDRESS', { payload: JSON.stringify({ address }) });

const rename = (client: Client, address: string, name: string) =>
  client.call('WALLET_RENAME', { payload: JSON.stringify({ address, name }) });

const namesOf = ({ result }: { result: readonly WalletJson[] }) => result.map(({ name }) => name);

describe('the wallets of an account', () => {
  it('are there from the start, one for each blockchain, the same everywhere', async () => {
    const [one, two] = await Promise.all([startSandbox(), startSandbox()]);
    const page = await wallets(one.client);
    expect(page).toMatchObject({ page: 1, size: 10, total: 1, totalElements: BLOCKCHAINS.length });
    expect(page.result.map(({ blockchain }) => blockchain)).toEqual(BLOCKCHAINS);
    expect(await wallets(two.client)).toEqual(page);
  });

  it('hold the balances of the account, each on its blockchain', async () => {
    const balances = '{"TRX":"3","USDT_TRC20":"0.100000000000000001","BTC":"1","XYZ":"2"}';
    const { client } = await startSandbox({ settings: { BALANCES: balances } });
    const { text } = await listWallets(client, { blockchain: '"TRON"' });
    expect(text).toContain(
      '"balances":[{"currency":"TRX","amount":3,"token":false},' +
        '{"currency":"USDT_TRC20","amount":0.100000000000000001,"token":true}]',
    );
    const { result } = await wallets(client);
    expect(result.flatMap((wallet) => wallet.balances.map(({ currency }) => currency))).toEqual([
      'BTC',
      'XYZ',
      'TRX',
      'USDT_TRC20',
    ]);
  });

  it('survive a restart with their names, and are not made again', async () => {
    const before = await startSandbox();
    const made = await createWallet(before.client, 'kept');
    const page = await wallets(before.client, { pageSize: '100' });
    await before.close();
    const { client } = await startSandbox(before);
    expect(await wallets(client, { pageSize: '100' })).toEqual(page);
    expect(good(await lookUp(client, made.address))).toEqual(made);
  });
});

describe('WALLET_LIST', () => {
  it.each([
    ['blockchain', '"BITCOIN"', ['Main BITCOIN']],
    ['blockchain', '"NOWHERE"', []],
    ['currency', '"USDT_TRC20"', ['Main TRON']],
    ['currency', '"USDT_BEP20"', []],
    ['nameOrAddress', '"coin"', ['Main BITCOIN', 'Main DOGECOIN', 'Main LITECOIN']],
    ['nameOrAddress', '"%"', []],
  ])('filters by %s %s', async (field, value, names) => {
    const { client } = await startSandbox();
    expect(namesOf(await wallets(client, { [field]: value }))).toEqual(names);
  });

  it('finds a wallet by a part of its address, in any case', async () => {
    const { client } = await startSandbox();
    const [wallet] = (await wallets(client, { blockchain: '"ETHEREUM"' })).result;
    const part = JSON.stringify(wallet?.address.slice(5, 25).toUpperCase());
    expect((await wallets(client, { nameOrAddress: part })).result).toEqual([wallet]);
  });

  it('goes page by page in both directions and misses none', async () => {
    const { client } = await startSandbox();
    const all = namesOf(await wallets(client, { pageSize: '1000' }));
    for (const sort of ['ASC', 'DESC'] as const) {
      const found: string[] = [];
      for (let pageNumber = 1; pageNumber <= 3; pageNumber += 1) {
        const page = await wallets(client, {
          pageNumber: String(pageNumber),
          pageSize: '3',
          sort: JSON.stringify(sort),
        });
        expect(page).toMatchObject({ page: pageNumber, size: 3, total: 3, totalElements: 8 });
        found.push(...namesOf(page));
      }
      expect(found).toEqual(sort === 'ASC' ? all : all.toReversed());
    }
  });

  it.each(['name', 'address', 'blockchain'] as const)('sorts by %s', async (property) => {
    const { client } = await startSandbox();
    const { result } = await wallets(client, { properties: JSON.stringify(property) });
    const values = result.map((wallet) => wallet[property]);
    expect(values).toEqual(values.toSorted());
  });

  it('has nothing beyond its last page', async () => {
    const { client } = await startSandbox();
    const page = await wallets(client, { pageNumber: '2147483647', pageSize: '1000' });
    expect(page).toMatchObject({ result: [], total: 1, totalElements: 8 });
  });

  it.each([
    ['properties', undefined],
    ['properties', '"balances"'],
    ['properties', '"name; DROP TABLE wallet"'],
    ['sort', '"asc"'],
    ['pageNumber', '0'],
    ['pageNumber', '2147483648'],
    ['pageNumber', '1.5'],
    ['pageNumber', '"1"'],
    ['pageSize', '0'],
    ['pageSize', '1001'],
    ['pageSize', 'null'],
    ['nameOrAddress', '1'],
  ])('refuses %s %s', async (field, value) => {
    const { client } = await startSandbox();
    const reply = await listWallets(client, { [field]: value });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
  });
});

describe('WALLET_CREATE', () => {
  it.each(BLOCKCHAINS)('makes an empty wallet on %s with an address of its own', async (chain) => {
    const { client } = await startSandbox();
    const made = [await createWallet(client, 'one', chain), await createWallet(client, '', chain)];
    expect(made).toMatchObject([
      { name: 'one', blockchain: chain, balances: [] },
      { name: '', blockchain: chain, balances: [] },
    ]);
    const all = (await wallets(client, { pageSize: '100' })).result.map(({ address }) => address);
    expect(new Set(all).size).toBe(BLOCKCHAINS.length + 2);
  });

  it.each([
    ['a name of 101 characters', { name: 'a'.repeat(101), blockchain: 'TRON' }],
    ['51 emoji, which the client refuses too', { name: '💶'.repeat(51), blockchain: 'TRON' }],
    ['no name', { blockchain: 'TRON' }],
    ['a name that cannot be stored', { name: '\0', blockchain: 'TRON' }],
    ['an unknown blockchain', { name: 'a', blockchain: 'tron' }],
    ['no blockchain', { name: 'a' }],
  ])('refuses %s', async (_name, payload) => {
    const { client } = await startSandbox();
    const reply = await client.call('WALLET_CREATE', { payload: JSON.stringify(payload) });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
    expect(await wallets(client)).toMatchObject({ totalElements: BLOCKCHAINS.length });
  });

  it('takes a name of 100 characters of any kind', async () => {
    const { client } = await startSandbox();
    const name = `'"%_\\ \u202e${'漢'.repeat(93)}`;
    expect(await createWallet(client, name)).toMatchObject({ name });
  });
});

describe('WALLET_RENAME and LOOKUP_ADDRESS', () => {
  it('rename a wallet and find it', async () => {
    const { client } = await startSandbox();
    const [wallet] = (await wallets(client, { blockchain: '"TRON"' })).result;
    const address = wallet?.address ?? '';
    const renamed = { ...wallet, name: 'Salaries' };
    expect(good(await rename(client, address, 'Salaries'))).toEqual(renamed);
    expect(good(await lookUp(client, address))).toEqual(renamed);
    expect(namesOf(await wallets(client, { nameOrAddress: '"salar"' }))).toEqual(['Salaries']);
  });

  it('have no other addresses', async () => {
    const { client } = await startSandbox();
    for (const reply of [await rename(client, 'x', 'y'), await lookUp(client, 'x')]) {
      expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('refuse a name that is too long', async () => {
    const { client } = await startSandbox();
    const [wallet] = (await wallets(client)).result;
    const reply = await rename(client, wallet?.address ?? '', 'a'.repeat(101));
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
    expect((await wallets(client)).result[0]).toEqual(wallet);
  });
});

it('OPCODES lists every operation code of the specification', async () => {
  const { client } = await startSandbox();
  expect(good(await client.call('OPCODES'))).toEqual({ opCodes: OPERATION_CODES });
});

it('GET /sandbox/wallets lists wallets page by page, with amounts as text', async () => {
  const { client } = await startSandbox({ settings: { BALANCES: '{"BTC":"0.1"}' } });
  type Listing = { wallets: { n: number }[]; next: number | null };
  const first = good<Listing>(await client.get('/sandbox/wallets?limit=5'));
  const second = good<Listing>(await client.get(`/sandbox/wallets?limit=5&after=${first.next}`));
  expect([first.wallets.length, second.wallets.length, second.next]).toEqual([5, 3, null]);
  expect(first.wallets[0]).toMatchObject({
    blockchain: 'BITCOIN',
    balances: [{ currency: 'BTC', amount: '0.1', token: false }],
  });
});
