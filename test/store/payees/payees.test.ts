import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { decidedOver, importedOver, type Payee } from '../../../src/domain/payees/payee.ts';
import type { Store } from '../../../src/store/index.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ZOE = { by: 'zoe', atMs: 7 };

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

const entry = (action: string, count: number) => ({
  ...{ atMs: 7, batchId: null, actor: 'zoe', action, detail: { count } },
});

const keyAt = (index: number) => ({
  network: 'tron',
  address: `T${String(index).padStart(5, '0')}`,
  written: `T${String(index).padStart(5, '0')}`,
});

const row = (index: number, name: string) => ({
  ...{
    ...keyAt(index),
    row: index,
    name,
    email: `${name}@x.example`,
    labels: ['staff'],
    decision: null,
    reason: '',
  },
});

const importAll = (account: string, names: readonly string[]) =>
  store.payees.change({
    account,
    keys: names.map((name, index) => row(index, name)),
    next: (known, key) => importedOver(known, key, ZOE),
    entryOf: (changed) => entry('payees-import', changed.length),
  });

const deny = (account: string, index: number) =>
  store.payees.change({
    account,
    keys: [keyAt(index)],
    next: (known, key) => decidedOver(known, { ...key, kind: 'DENIED', reason: 'fraud' }, ZOE),
    entryOf: (changed) => entry('payee-deny', changed.length),
  });

async function listed(account: string): Promise<Payee[]> {
  const all: Payee[] = [];
  for await (const payee of store.payees.list(account)) all.push(payee);
  return all;
}

const entries = async (): Promise<unknown[]> => {
  const all = await store.audit.list({ limit: 100 });
  return all
    .filter(({ action }) => action.startsWith('payee'))
    .map(({ action, detail }) => [action, detail]);
};

it('keeps the payees of each account apart, in the order of their addresses', async () => {
  await importAll('a', ['Ann', 'Bob']);
  await importAll('b', ['Cyd']);
  expect((await listed('a')).map(({ name }) => name)).toEqual(['Ann', 'Bob']);
  expect((await listed('b')).map(({ name }) => name)).toEqual(['Cyd']);
});

it('writes one entry for a change, and none where nothing changed', async () => {
  await importAll('a', ['Ann', 'Bob']);
  expect(await importAll('a', ['Ann', 'Bob'])).toEqual([]);
  await deny('a', 1);
  expect(await entries()).toEqual([
    ['payees-import', { count: 2 }],
    ['payee-deny', { count: 1 }],
  ]);
});

it('a later change keeps what it does not name', async () => {
  await importAll('a', ['Ann']);
  await deny('a', 0);
  await importAll('a', ['Anna']);
  expect(await listed('a')).toMatchObject([
    {
      name: 'Anna',
      email: 'Anna@x.example',
      labels: ['staff'],
      decision: { kind: 'DENIED', by: 'zoe', reason: 'fraud' },
    },
  ]);
});

it('lists every payee of several pages once, and those that are denied alone', async () => {
  const names = Array.from({ length: 4_001 }, (_, index) => `p${index}`);
  for (const from of [0, 2_000, 4_000]) {
    await store.payees.change({
      account: 'a',
      keys: names.slice(from, from + 2_000).map((name, index) => row(from + index, name)),
      next: (known, key) => importedOver(known, key, ZOE),
      entryOf: (changed) => entry('payees-import', changed.length),
    });
  }
  await deny('a', 3_999);
  expect((await listed('a')).map(({ name }) => name)).toEqual(names);
});

it('finds payees by their names, and by the text of the address in either case', async () => {
  await importAll('a', ['Ann', 'Bob']);
  expect(await store.payees.find('a', [keyAt(1), keyAt(7)])).toMatchObject([{ name: 'Bob' }]);
  expect(await store.payees.find('a', [{ ...keyAt(1), network: 'evm' }])).toEqual([]);
  expect(await store.payees.withText('a', 't00001')).toMatchObject([{ name: 'Bob' }]);
});

it('removes payees, with an entry for each', async () => {
  await importAll('a', ['Ann', 'Bob']);
  const removed = await store.payees.remove('a', [keyAt(0), keyAt(9)], () =>
    entry('payee-forget', 1),
  );
  expect(removed).toBe(1);
  expect((await listed('a')).map(({ name }) => name)).toEqual(['Bob']);
  expect(await entries()).toContainEqual(['payee-forget', { count: 1 }]);
});
