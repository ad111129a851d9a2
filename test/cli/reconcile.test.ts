import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '@bursar/merchant-api';
import type { StoredRowOutcome } from '../../src/store/settlement/settlements.ts';
import { address, csv, DUPLICATE } from './support/files.ts';
import { playDoubt, playEnd, playSettle } from './support/play.ts';
import {
  ALL_PAID,
  linesOf,
  massPayout,
  paidRow,
  reconciled,
  walletWorld,
  type Went,
} from './support/wallet-world.ts';

describe('bursar reconcile: a batch that ties', () => {
  it('is printed as one object', async () => {
    const { code, statement } = await reconciled(await walletWorld());
    expect(code).toBe(0);
    expect(statement).toEqual({
      schema: 'bursar.reconciliation/v1',
      batchId: 'payroll',
      state: 'COMPLETED',
      generation: 0,
      parentBatchId: null,
      at: '2026-11-21T09:00:00.000Z',
      // The first create, less what the clocks may differ.
      from: '2026-11-21T08:58:00.000Z',
      to: '2026-11-21T09:00:00.000Z',
      ties: true,
      available: { transactions: 'available', lookups: 'available', wallets: 'available' },
      rows: { total: 3, refused: 0 },
      currencies: [
        {
          currency: 'USDT_TRC20',
          file: { count: 3, amount: '60.5' },
          engine: {
            PAID: { count: 3, amount: '60.5' },
            FAILED: { count: 0, amount: '0' },
            NOT_SENT: { count: 0, amount: '0' },
            UNKNOWN: { count: 0, amount: '0' },
            IN_FLIGHT: { count: 0, amount: '0' },
            NOT_SENT_YET: { count: 0, amount: '0' },
          },
          massPayouts: { count: 1, amount: '60.5', fee: '0.5', byState: { COMPLETED: 1 } },
          transactions: {
            count: 3,
            amount: '60.5',
            serviceFees: [{ currency: 'USDT_TRC20', amount: '0.5' }],
            networkFees: [{ currency: 'TRX', amount: '3' }],
          },
        },
      ],
      matchedRows: { hash: 0, only: 3, equal: 0 },
      transactions: { read: 3, elsewhere: 0, ofOtherBatches: 0 },
      otherBatches: [],
      wallets: [expect.objectContaining({ name: 'Payroll', currency: 'USDT_TRC20' })],
      differences: [],
      files: {
        csv: expect.stringMatching(/reconciliation\.csv$/),
        json: expect.stringMatching(/reconciliation\.json$/),
      },
    });
  });

  it('is printed for people side by side', async () => {
    const { run, dir } = await walletWorld({ timeZone: 'Europe/Berlin' });
    const { code, out } = await run('reconcile', 'payroll');
    expect(code).toBe(0);
    expect(out).toContain('Batch payroll (Completed): everything matches\n');
    expect(out).toContain('2026-11-21 09:58:00 Europe/Berlin (2026-11-21 08:58:00 UTC)');
    const table = out.split('\n').filter((line) => /60\.5/.test(line));
    expect(table.map((line) => line.replace(/\s+/g, ' '))).toEqual([
      'file 3 60.50',
      'engine: paid 3 60.50',
      'mass payouts 1 60.50 0.50',
      'wallet 3 60.50 0.50 USDT (TRC20) 3.00 TRX',
    ]);
    expect(out).toMatch(/^ {2}completed +1$/m);
    expect(out).toMatch(
      /^Transactions read: 3, of which 0 belong to other payments; none belongs to another batch\.$/m,
    );
    expect(out).toContain('Rows with a transaction: 3 for certain');
    expect(out).toContain('Statement: runs/payroll/reconciliation.json');
    expect(existsSync(join(dir, 'reconciliation.json'))).toBe(true);
  });

  it('is written to two files, the same each time', async () => {
    const world = await walletWorld();
    const { statement } = await reconciled(world);
    const read = (file: string) => readFileSync(join(world.dir, file), 'utf8');
    const { files: _, ...written } = statement as typeof statement & { files: object };
    expect(JSON.parse(read('reconciliation.json'))).toEqual(written);
    expect(linesOf(world.dir)[1]).toEqual({
      row: '3',
      address: address(2),
      amount: '20',
      currency: 'USDT_TRC20',
      reference: '',
      outcome: 'PAID',
      massPayoutId: 'mp-payroll',
      difference: '',
      certainty: 'only',
      equalRows: '1',
      transactionHash: 'hash-2',
      createdDate: '2026-11-21T08:59:02.000Z',
      serviceFee: '0.2',
      serviceFeeCurrency: 'USDT_TRC20',
      networkFee: '1',
      networkFeeCurrency: 'TRX',
    });
    const before = read('reconciliation.csv');
    await reconciled(world);
    expect(read('reconciliation.csv')).toBe(before);
  });

  it('is written only to the path of --out', async () => {
    const world = await walletWorld();
    await reconciled(world, '--out', 'books/november.json');
    const books = join(world.world.cwd, 'books');
    expect(linesOf(books, 'november.csv')).toHaveLength(3);
    expect(existsSync(join(books, 'november.json'))).toBe(true);
    expect(existsSync(world.dir)).toBe(false);
  });

  it('pairs equal rows with equal transactions, with a note', async () => {
    const twins = [1, 2].map((n) => paidRow(1, { amount: '10', transactionHash: `twin-${n}` }));
    const world = await walletWorld({
      file: DUPLICATE,
      wallet: {
        transactions: twins,
        massPayouts: new Map([
          ['mp-payroll', massPayout('payroll', { totalWithdrawalAmount: '20', totalFee: '0.2' })],
        ]),
      },
      went: async (store) => {
        await playSettle(store, 'payroll', { outcome: 'PAID', massPayoutId: 'mp-payroll' });
      },
    });
    const { statement } = await reconciled(world);
    expect(statement.matchedRows).toEqual({ hash: 0, only: 0, equal: 2 });
    expect(linesOf(world.dir)).toMatchObject([
      { row: '2', certainty: 'equal', equalRows: '2', transactionHash: 'twin-1' },
      { row: '3', certainty: 'equal', equalRows: '2', transactionHash: 'twin-2' },
    ]);
  });

  it.each<readonly [string, (all: Transaction[]) => Transaction[]]>([
    [
      'amounts with needless zeros and below zero',
      (all) => all.map((of) => ({ ...of, amount: `-${of.amount}` })),
    ],
    ['another name of the currency', (all) => all.map((of) => ({ ...of, currency: 'USDT' }))],
    [
      'no fees, hashes and dates yet',
      (all) =>
        all.map(({ amount, currency, opCode, addressTo = '' }) => ({
          amount,
          currency,
          opCode,
          addressTo,
        })),
    ],
    ['money that came in to the same address', (all) => [...all, paidRow(1, { opCode: 'TOP_UP' })]],
    ['payments to others', (all) => [...all, paidRow(1, { addressTo: address(99) })]],
    [
      'last month, the same',
      (all) => [...all, ...all.map((of) => ({ ...of, createdDate: '2026-10-21T08:59:00Z' }))],
    ],
  ])('ties when the wallet has %s', async (_what, change) => {
    const { code, statement } = await reconciled(
      await walletWorld({ wallet: { transactions: change(ALL_PAID) } }),
    );
    expect(statement.differences.filter(({ mustLook }) => mustLook)).toEqual([]);
    expect([code, statement.matchedRows.only]).toEqual([0, 3]);
  });
});

describe('bursar reconcile: a difference is named, and the command ends with 14', () => {
  const [first, second, third] = ALL_PAID as [Transaction, Transaction, Transaction];

  it.each<readonly [string, Transaction[], string[]]>([
    ['a transaction is missing', [first, third], ['ROW_WITHOUT_TRANSACTION 1 20']],
    ['nothing was paid', [], ['ROW_WITHOUT_TRANSACTION 3 60.5']],
    [
      'a row was paid twice',
      [...ALL_PAID, paidRow(2, { transactionHash: 'x' })],
      ['PAID_AGAIN 1 20'],
    ],
    [
      'a transaction has another amount',
      [first, { ...second, amount: '19.99' }, third],
      ['ROW_WITHOUT_TRANSACTION 1 20', 'OTHER_AMOUNT 1 19.99'],
    ],
    [
      'a transaction is on another network',
      [first, { ...second, currency: 'USDT_ERC20' }, third],
      ['ROW_WITHOUT_TRANSACTION 1 20', 'OTHER_AMOUNT 1 20'],
    ],
    [
      'a transaction went to another recipient',
      [first, { ...second, addressTo: address(98) }, third],
      ['ROW_WITHOUT_TRANSACTION 1 20'],
    ],
    [
      'a transaction is older than the create',
      [first, { ...second, createdDate: '2026-11-21T08:57:59Z' }, third],
      ['ROW_WITHOUT_TRANSACTION 1 20'],
    ],
    [
      'a recipient got another transaction as well',
      [...ALL_PAID, paidRow(3, { amount: '0.5', opCode: 'SETTLEMENT_SINGLE_WITHDRAWAL' })],
      ['STRAY_TRANSACTION 1 0.5'],
    ],
    [
      'the fees of the transactions are others',
      [first, { ...second, serviceFee: '0.21' }, third],
      ['FEES_DIFFER 1 -0.01'],
    ],
    [
      'an amount cannot be one',
      [first, { ...second, amount: `1${'0'.repeat(60)}` }, third],
      ['ROW_WITHOUT_TRANSACTION 1 20', 'OTHER_AMOUNT 1 0'],
    ],
  ])('when %s', async (_what, transactions, expected) => {
    const { code, differences, statement } = await reconciled(
      await walletWorld({ wallet: { transactions } }),
    );
    expect(differences).toEqual(expected);
    expect([code, statement.ties]).toEqual([14, false]);
  });

  it('a payment in a currency that the file does not have is printed, and is no difference', async () => {
    const transactions = [...ALL_PAID, paidRow(1, { currency: 'TRX', amount: '5' })];
    const { code, differences } = await reconciled(await walletWorld({ wallet: { transactions } }));
    expect([code, differences]).toEqual([0, ['OTHER_CURRENCY 1 5']]);
  });

  it('a transaction without a date is printed, since it may be older than the batch', async () => {
    const transactions = [...ALL_PAID.slice(1), { ...first, createdDate: '' }];
    const { code, differences } = await reconciled(await walletWorld({ wallet: { transactions } }));
    expect([code, differences]).toEqual([0, ['TRANSACTION_UNDATED 1 10.5']]);
  });

  it('to people with rows, hashes, and the next step', async () => {
    const { run } = await walletWorld({
      wallet: { transactions: [first, third, paidRow(3, { transactionHash: 'again' })] },
    });
    const { code, out } = await run('reconcile', 'payroll');
    expect(code).toBe(14);
    expect(out).toContain('Batch payroll (Completed): 2 differences to check');
    expect(out).toContain('1. PAID_AGAIN: 1 transactions, 30.00 USDT (TRC20)');
    expect(out).toContain(`- row 4, 30.00, to ${address(3)}, 2026-11-21 08:59:03 UTC, hash again`);
    expect(out).toContain('2. ROW_WITHOUT_TRANSACTION: 1 rows, 20.00 USDT (TRC20)');
    expect(out).toContain('Do not pay it again before the answer.');
  });

  it('with a bounded number of cases in the statement, and all of them in the CSV file', async () => {
    const transactions = [
      ...ALL_PAID,
      ...Array.from({ length: 50 }, (_, n) => paidRow(1, { transactionHash: `again-${n}` })),
    ];
    const world = await walletWorld({ wallet: { transactions } });
    const { differences, statement } = await reconciled(world);
    expect(differences).toEqual(['PAID_AGAIN 50 525']);
    expect(statement.differences[0]?.cases).toHaveLength(20);
    const again = linesOf(world.dir).filter(({ difference }) => difference === 'PAID_AGAIN');
    expect(again).toHaveLength(50);
    expect((await world.run('reconcile', 'payroll')).out).toContain('- and 30 more');
  });
});

/** A batch in which one row is another outcome than the rest. */
const partly =
  (outcome: Partial<StoredRowOutcome>): Went =>
  async (store, batchId) => {
    const row = { row: 3, chunk: 0, amount: '20', reason: '', outcome: 'FAILED' as const };
    await playSettle(store, batchId, {
      outcome: 'PAID',
      massPayoutId: `mp-${batchId}`,
      rows: [{ ...row, ...outcome }],
    });
    await playEnd(store, batchId, { state: 'PARTIAL' });
  };

describe('bursar reconcile: rows that were not paid', () => {
  const without = ALL_PAID.filter((_, i) => i !== 1);

  it.each<readonly [Partial<StoredRowOutcome>, boolean, string[]]>([
    [{ outcome: 'FAILED' }, false, []],
    [{ outcome: 'FAILED' }, true, ['UNPAID_ROW_PAID 1 20']],
    [{ outcome: 'UNKNOWN' }, false, ['UNKNOWN_ROW_UNSEEN 1 20']],
    [{ outcome: 'UNKNOWN' }, true, ['UNKNOWN_ROW_PAID 1 20']],
    [{ outcome: 'NOT_SENT' }, false, []],
    [{ outcome: 'NOT_SENT' }, true, ['UNPAID_ROW_PAID 1 20']],
  ])('%j, with a transaction: %s', async (outcome, isThere, expected) => {
    const { code, differences } = await reconciled(
      await walletWorld({
        went: partly(outcome),
        wallet: { transactions: isThere ? ALL_PAID : without },
      }),
    );
    expect([code, differences]).toEqual([expected.length === 0 ? 0 : 14, expected]);
  });

  it('that were never sent tie with an empty wallet', async () => {
    const world = await walletWorld({
      wallet: { transactions: [] },
      went: async (store, batchId) => {
        await store.chunks.closeUnsent(batchId, 'canceled');
        await playEnd(store, batchId, { state: 'CANCELED' });
      },
    });
    const { code, statement } = await reconciled(world);
    expect([code, statement.state]).toEqual([0, 'CANCELED']);
    expect(statement.currencies[0]?.engine.NOT_SENT).toEqual({ count: 3, amount: '60.5' });
  });

  it('that have not left yet are not in flight', async () => {
    const world = await walletWorld({ wallet: { transactions: [] }, went: async () => undefined });
    const { code, statement } = await reconciled(world);
    expect([code, statement.currencies[0]?.engine]).toMatchObject([
      0,
      { IN_FLIGHT: { count: 0 }, NOT_SENT_YET: { count: 3, amount: '60.5' } },
    ]);
    expect(linesOf(world.dir).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 3 }, () => 'NOT_SENT_YET'),
    );
    expect((await world.run('reconcile', 'payroll')).out).toContain('engine: not sent yet');
  });

  it('because they were refused stand in the statement, and in the file', async () => {
    const file = csv(`${address(1)},10.5,USDT_TRC20`, `${address(2)},2E1,USDT_TRC20`);
    const world = fileWorld(file, ['--skip-invalid']);
    const { statement } = await reconciled(await world);
    expect(statement.rows).toEqual({ total: 2, refused: 1 });
    expect(linesOf((await world).dir)[1]).toMatchObject({ row: '3', outcome: 'NOT_SENT' });
  });

  it('with unknown creates are found before they are sent again', async () => {
    const world = await walletWorld({ went: playDoubt });
    const { code, statement, differences } = await reconciled(world);
    expect([code, differences]).toEqual([14, ['DOUBTFUL_ROW_PAID 3 60.5']]);
    expect(statement.currencies[0]).toMatchObject({
      engine: { IN_FLIGHT: { count: 3 } },
      massPayouts: { count: 0 },
      transactions: { count: 3, amount: '60.5' },
    });
  });
});

/** A world whose batch has another file; flags for `submit`. */
const fileWorld = async (file: string, flags: string[]) =>
  walletWorld({
    file,
    flags,
    wallet: { transactions: [paidRow(1)] },
    went: async (store, batchId) => {
      await playSettle(store, batchId, { outcome: 'PAID', massPayoutId: `mp-${batchId}` });
    },
  });
