import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readTransactions } from '../../src/operations/reconcile/read-transactions.ts';
import type { TimeWindow } from '../../src/operations/reconcile/walk-transactions.ts';
import { createNameReader } from '../../src/domain/reconcile/payment.ts';
import type { Payment } from '../../src/domain/reconcile/payment.ts';
import type { Read } from '../../src/operations/reconcile/patient-reads.ts';
import type { Transaction } from '@bursar/merchant-api';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { TRANSACTION } from './support/fake-api.ts';
import { type FakeWallet, newWallet, refusal, walletService } from './support/fake-wallet.ts';
import { address } from './support/files.ts';

const START_MS = Date.parse('2026-11-21T09:00:00Z');
const ALWAYS: TimeWindow = { fromMs: 0, toMs: Date.parse('9999-12-31T00:00:00Z') };

/** The n-th payment, made n seconds after the start. */
const payment = (n: number, more: Partial<Transaction> = {}): Transaction => ({
  ...TRANSACTION,
  opCode: 'SETTLEMENT_MASS_WITHDRAWAL',
  addressTo: address(1),
  transactionHash: `hash-${n}`,
  createdDate: new Date(START_MS + n * 1_000).toISOString(),
  ...more,
});

const payments = (count: number): Transaction[] =>
  Array.from({ length: count }, (_, n) => payment(n));

/** Reads the list of a wallet as `reconcile` does; pages have at most `sizeMax` transactions. */
async function read(wallet: FakeWallet, window: TimeWindow = ALWAYS) {
  let taken: { payment: Payment; hash: string | undefined }[] = [];
  const service = walletService(wallet);
  const signal = new AbortController().signal;
  const reader: Read = async (call) =>
    (await call(service.api, { account: ACCOUNT, signal })).value;
  const list = await readTransactions(
    {
      read: reader,
      nameOf: createNameReader(['USDT_TRC20']),
      tell: () => undefined,
      book: {
        addTransaction(of, { hash }) {
          taken.push({ payment: of, hash });
          return true;
        },
        forgetTransactions() {
          taken = [];
        },
      },
    },
    window,
  );
  return { list, hashes: taken.map(({ hash }) => hash), payments: taken.map((one) => one.payment) };
}

const hashesOf = (all: readonly Transaction[]) => all.map(({ transactionHash }) => transactionHash);

/** A wallet whose service takes pages of this size at most. */
const smallPages = (sizeMax: number, of: Partial<FakeWallet> = {}): FakeWallet =>
  newWallet({
    onPage: ({ pageSize }) => {
      if (pageSize > sizeMax) throw refusal('TRANSACTION_LIST', 400);
    },
    ...of,
  });

describe('a read of the transactions of a window', () => {
  it('returns each one once and in order, for any window', async () => {
    const window = fc.record({ from: fc.integer({ min: -5, max: 130 }), length: fc.nat(130) });
    await fc.assert(
      fc.asyncProperty(fc.nat(120), window, async (count, { from, length }) => {
        const transactions = payments(count);
        const { list, hashes } = await read(smallPages(10, { transactions }), {
          fromMs: START_MS + from * 1_000,
          toMs: START_MS + (from + length) * 1_000,
        });
        const inside = transactions.filter((_, n) => n >= from && n <= from + length);
        expect(hashes).toEqual(hashesOf(inside));
        expect(list).toMatchObject({ read: inside.length, isSettled: true, repeats: [] });
      }),
    );
  });

  it('finds a short time in a long history with a few pages', async () => {
    const wallet = smallPages(10, { transactions: payments(20_000) });
    const window = { fromMs: START_MS + 17_000_000, toMs: START_MS + 17_005_000 };
    const { hashes } = await read(wallet, window);
    expect(hashes).toEqual([0, 1, 2, 3, 4, 5].map((n) => `hash-1700${n}`));
    expect(wallet.asked.length).toBeLessThan(25);
  });

  it.each([1_000, 100, 10])('takes pages of %i when larger ones are refused', async (size) => {
    const wallet = smallPages(size, { transactions: payments(25) });
    expect((await read(wallet)).hashes).toHaveLength(25);
    expect(wallet.asked.at(-1)?.pageSize).toBe(size);
  });

  it.each<readonly [string, (all: Transaction[]) => Transaction[]]>([
    ['the newest first', (all) => all.toReversed()],
    ['by their hashes', (all) => all.toSorted((a, b) => order(hashOf(a), hashOf(b)))],
    ['in no order', (all) => all.map((_, n) => all[(n * 37) % all.length] as Transaction)],
  ])('returns all of a list that has %s', async (_what, sort) => {
    const wallet = smallPages(10, { transactions: sort(payments(101)) });
    const window = { fromMs: START_MS + 95_000, toMs: START_MS + 97_000 };
    const { list, hashes } = await read(wallet, window);
    expect(new Set(hashes)).toEqual(new Set(['hash-95', 'hash-96', 'hash-97']));
    expect([hashes.length, list.isSettled]).toEqual([3, true]);
  });

  it('keeps transactions without a date, with a warning', async () => {
    const transactions = [...payments(3), payment(9, { createdDate: 'yesterday' })];
    const { list, hashes } = await read(newWallet({ transactions }), {
      fromMs: START_MS + 2_000,
      toMs: START_MS + 2_000,
    });
    expect(hashes).toEqual(['hash-2', 'hash-9']);
    expect(list.undated).toMatchObject([{ hash: 'hash-9' }]);
  });

  it.each([
    ['2026-11-21T09:00:01Z', 1],
    ['2026-11-21T10:00:01.000+01:00', 1],
    ['2026-11-21T09:00:01', 1],
    ['2026-11-21T09:00:01.5+0000', 1],
    ['2026-11-21T09:00:03Z', 0],
    ['2026-11-21T09:00:01+01:00', 0],
  ])('takes the date %s', async (createdDate, count) => {
    const transactions = [payment(0, { createdDate })];
    const window = { fromMs: START_MS, toMs: START_MS + 2_000 };
    const { list } = await read(newWallet({ transactions }), window);
    expect([list.read, list.undated]).toEqual([count, []]);
  });

  it('skips transactions that paid no recipient', async () => {
    const transactions = [
      payment(0, { opCode: 'TOP_UP' }),
      payment(1, { opCode: 'FEE' }),
      payment(2, { addressTo: undefined } as never),
      payment(3, { opCode: 'SOMETHING_NEW' }),
    ];
    const { list, hashes } = await read(newWallet({ transactions }));
    expect(hashes).toEqual(['hash-3']);
    expect(list).toMatchObject({ read: 4, elsewhere: 3 });
  });

  it('takes amounts, currencies and hashes in any valid form', async () => {
    const transactions = [
      payment(0, { amount: '-12.5', currency: 'USDT', transactionHash: '' }),
      payment(1, { transactionHash: 'x'.repeat(10_000) }),
    ];
    const { hashes, payments: paid } = await read(newWallet({ transactions }));
    expect(paid[0]).toMatchObject({ amount: '12.5', currency: 'USDT_TRC20' });
    expect(hashes).toEqual([undefined, undefined]);
  });
});

const hashOf = ({ transactionHash = '' }: Transaction): string => transactionHash;
const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

describe('a list that changes while it is read', () => {
  it('counts when it only grew at its end', async () => {
    const wallet = smallPages(10, { transactions: payments(25) });
    const { onPage } = wallet;
    wallet.onPage = (asked, count) => {
      onPage(asked, count);
      const isFirst = asked.pageNumber === 2 && wallet.transactions.length === 25;
      if (isFirst) wallet.transactions.push(...payments(45).slice(25));
    };
    const { list, hashes } = await read(wallet);
    expect(hashes).toEqual(hashesOf(payments(45)));
    expect(list.isSettled).toBe(true);
  });

  it.each([
    ['one that came in at its start', (all: Transaction[]) => void all.unshift(payment(-1))],
    ['one that went away', (all: Transaction[]) => void all.shift()],
  ])('is read again because of %s', async (_what, change) => {
    const wallet = smallPages(10, { transactions: payments(35) });
    const { onPage } = wallet;
    let isChanged = false;
    wallet.onPage = (asked, count) => {
      onPage(asked, count);
      if (asked.pageNumber !== 2 || isChanged) return;
      isChanged = true;
      change(wallet.transactions);
    };
    const { list, hashes } = await read(wallet);
    expect(hashes).toEqual(hashesOf(wallet.transactions));
    expect([list.isSettled, list.repeats]).toEqual([true, []]);
  });

  it('does not count when it differs in each read', async () => {
    const wallet = smallPages(10, { transactions: payments(35) });
    const { onPage } = wallet;
    wallet.onPage = (asked, count) => {
      onPage(asked, count);
      if (asked.pageNumber > 1) wallet.transactions.unshift(payment(-count));
    };
    expect((await read(wallet)).list.isSettled).toBe(false);
    expect(wallet.asked.length).toBeLessThan(60);
  });

  it('may have one transaction twice on two pages, if it has it so each time', async () => {
    const twin = payment(9);
    const transactions = [...payments(10), twin, payment(11), payment(12)];
    const { list, hashes } = await read(smallPages(10, { transactions }));
    expect(hashes).toHaveLength(13);
    expect(list).toMatchObject({ isSettled: true, repeats: [{ hash: 'hash-9' }] });
  });
});

describe('a service with malformed lists', () => {
  const of25 = { transactions: payments(25) };

  it.each<readonly [string, Partial<FakeWallet>, string]>([
    [
      'repeats its first page',
      { ...of25, dress: (page) => ({ ...page, page: 1 }) },
      'a page came out of turn',
    ],
    [
      'has an empty page in the middle',
      {
        ...of25,
        dress: (page, { pageNumber }) => (pageNumber === 2 ? { ...page, result: [] } : page),
      },
      'a page before the last one is empty',
    ],
  ])('is reported when it %s', async (_what, wallet, reason) => {
    await expect(read(smallPages(10, wallet))).rejects.toMatchObject({
      code: 'SERVICE_ANSWER_UNREADABLE',
      facts: { operation: 'TRANSACTION_LIST', reason },
    });
  });

  it.each<readonly [string, FakeWallet['dress']]>([
    ['claims two thousand million pages', (page) => ({ ...page, total: 2 ** 31 - 1 })],
    [
      'adds a page for each that is read',
      (page, { pageNumber }) => ({
        ...page,
        result: [payment(pageNumber)],
        total: pageNumber + 1,
        totalElements: pageNumber + 1,
      }),
    ],
  ])('is not read forever when it %s', async (_what, dress) => {
    const wallet = newWallet({ transactions: payments(10), dress });
    await expect(read(wallet)).rejects.toMatchObject({
      code: 'TRANSACTIONS_TOO_MANY',
      facts: { pagesMax: 10_000 },
    });
    expect(wallet.asked.length).toBeLessThanOrEqual(10_100);
  });

  it('returns the same page again and again: each counts, and the repetition is reported', async () => {
    const wallet = smallPages(10, {
      transactions: payments(30),
      dress: (page) => ({ ...page, result: payments(10) }),
    });
    const { list, hashes } = await read(wallet);
    expect([hashes.length, list.isSettled, list.repeats.length]).toEqual([30, true, 20]);
  });

  it('returns a wrong total: it is read twice, and its total counts when it stays the same', async () => {
    const dress: FakeWallet['dress'] = (page) => ({ ...page, totalElements: 7 });
    const wallet = smallPages(10, { transactions: payments(25), dress });
    expect((await read(wallet)).list).toMatchObject({ read: 25, isSettled: true });
    expect(wallet.asked.filter(({ pageNumber }) => pageNumber === 3).length).toBeGreaterThan(1);
  });

  it('refuses every page, and that is reported', async () => {
    await expect(read(smallPages(0))).rejects.toMatchObject({ kind: 'refused', httpStatus: 400 });
  });
});
