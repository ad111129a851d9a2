import { describe, expect, it } from '@jest/globals';
import { MerchantApiError, type LookupRecord } from '@bursar/merchant-api';
import type { Operation } from '@bursar/merchant-api/spec';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { type FakeWallet, refusal } from './support/fake-wallet.ts';
import { address } from './support/files.ts';
import { keyOf, playEnd, playSettle } from './support/play.ts';
import {
  ALL_PAID,
  linesOf,
  massPayout,
  paidRow,
  reconciled,
  walletWorld,
  wentWell,
} from './support/wallet-world.ts';
import { writableDb } from '../../src/store/database/writable.ts';

/** A wallet whose first reads of the list meet an error. */
const failing = (times: number, error: () => Error): Partial<FakeWallet> => ({
  onPage: (_asked, count) => {
    if (count <= times) throw error();
  },
});

const noAnswer = () => new MerchantApiError('no-answer', { operation: 'TRANSACTION_LIST' });
const busy = () => refusal('TRANSACTION_LIST', 429, { retryAfterMs: 7_000 });

describe('bursar reconcile: a service that lacks an operation', () => {
  const LISTS: Operation[] = ['TRANSACTION_LIST', 'WALLET_LIST', 'LOOKUP'];

  it('leaves the operation out with a warning', async () => {
    const { code, statement } = await reconciled(await walletWorld({ wallet: { without: LISTS } }));
    const none = 'not available: the service has no such operation';
    expect(code).toBe(0);
    expect(statement).toMatchObject({
      ties: true,
      transactions: null,
      wallets: null,
      differences: [],
      available: { transactions: none, lookups: none, wallets: none },
      currencies: [{ massPayouts: { amount: '60.5' }, transactions: null }],
    });
  });

  it('shows people the limits of the comparison', async () => {
    const { run } = await walletWorld({ wallet: { without: LISTS } });
    const { out } = await run('reconcile', 'payroll');
    expect(out).toContain('everything matches, as far as the service shows');
    expect(out).toContain('Rows were not compared with transactions.');
  });

  it('still names the differences that mass payouts show', async () => {
    const massPayouts = new Map([['mp-payroll', massPayout('payroll', { state: 'PARTIAL' })]]);
    const world = await walletWorld({ wallet: { without: LISTS, massPayouts } });
    expect(await reconciled(world)).toMatchObject({
      code: 14,
      differences: ['MASS_PAYOUT_CHANGED 1 60.5'],
    });
  });

  it('may lack it by a path that does not exist', async () => {
    const nowhere = () => refusal('TRANSACTION_LIST', 404, { documented: false });
    const { code, statement } = await reconciled(
      await walletWorld({ wallet: failing(9, nowhere) }),
    );
    expect([code, statement.available.transactions]).toEqual([
      ...[0, 'not available: TRANSACTION_LIST was refused with status 404.'],
    ]);
  });
});

describe('bursar reconcile: wallets that the service does not show', () => {
  it.each([
    ['this key may not see', 403],
    ['it cannot list so', 400],
  ])('as %s, are left out', async (_what, httpStatus) => {
    const noWallets = () => refusal('WALLET_LIST', httpStatus);
    const { code, statement } = await reconciled(await walletWorld({ wallet: { noWallets } }));
    expect([code, statement.wallets, statement.available.wallets]).toEqual([
      ...[0, null, `not available: WALLET_LIST was refused with status ${httpStatus}.`],
    ]);
  });
});

describe('bursar reconcile: a service that fails', () => {
  it.each([
    ['a lost answer', noAnswer, [1_000, 2_000]],
    ['a failure of its own', () => refusal('TRANSACTION_LIST', 503), [1_000, 2_000]],
    ['too many requests', busy, [7_000, 7_000]],
  ])('is called again after %s', async (_what, error, pauses) => {
    const paused: number[] = [];
    const onPause = (_pauses: number, delayMs: number) => void paused.push(delayMs);
    const world = await walletWorld({ wallet: failing(2, error), onPause });
    expect(await reconciled(world)).toMatchObject({ code: 0, differences: [] });
    expect(paused).toEqual(pauses);
    expect(world.terminal.said()).toContain('Trying again in ');
  });

  it.each<readonly [string, () => Error, string, number]>([
    ['does not answer at all', noAnswer, 'SERVICE_UNREACHABLE', 6],
    ['refuses the key', () => refusal('TRANSACTION_LIST', 401), 'SERVICE_REFUSED_KEY', 4],
    ['refuses the request', () => refusal('TRANSACTION_LIST', 409), 'SERVICE_REFUSED', 2],
    [
      'returns a malformed page',
      () => new MerchantApiError('unreadable', { operation: 'TRANSACTION_LIST', httpStatus: 200 }),
      'SERVICE_ANSWER_UNREADABLE',
      6,
    ],
  ])('that %s is no service that has no list', async (_what, error, code, exitCode) => {
    const world = await walletWorld({ wallet: failing(99, error) });
    const ended = await world.json('reconcile', 'payroll');
    expect([ended.value['code'], ended.code]).toEqual([code, exitCode]);
  });

  it('leaves nothing half written', async () => {
    const wallet: Partial<FakeWallet> = {};
    const world = await walletWorld({ wallet });
    await reconciled(world);
    const before = linesOf(world.dir);
    world.wallet.onPage = () => {
      throw refusal('TRANSACTION_LIST', 401);
    };
    await world.json('reconcile', 'payroll');
    expect(linesOf(world.dir)).toEqual(before);
  });

  it('is not called again after Ctrl-C', async () => {
    const controller = new AbortController();
    const world = await walletWorld({
      interrupted: controller.signal,
      wallet: { onPage: () => controller.abort() },
    });
    const { code, err } = await world.run('reconcile', 'payroll');
    expect([code, err.includes('Interrupted.')]).toEqual([130, true]);
  });
});

describe('bursar reconcile: mass payouts', () => {
  it.each([
    [{ state: 'PARTIAL' }, 'MASS_PAYOUT_CHANGED', 'COMPLETED then, PARTIAL now'],
    [{ state: 'NEVER_HEARD_OF' }, 'MASS_PAYOUT_CHANGED', 'COMPLETED then, NEVER_HEARD_OF now'],
    [{ totalWithdrawalAmount: '60' }, 'MASS_PAYOUT_DIFFERS', 'total is 60, not 60.5'],
    [{ currency: 'BTC' }, 'MASS_PAYOUT_DIFFERS', 'currency is BTC, not USDT_TRC20'],
    [{ totalFee: '0.6' }, 'FEE_CHANGED', '0.50 then, 0.60 now'],
    [{ id: 'mp-other' }, 'MASS_PAYOUT_UNREAD', 'the service returned another one under its id'],
  ])('in the state %j are named', async (more, code, detail) => {
    const massPayouts = new Map([['mp-payroll', massPayout('payroll', more)]]);
    const { code: exitCode, statement } = await reconciled(
      await walletWorld({ wallet: { massPayouts } }),
    );
    expect(exitCode).toBe(14);
    const found = statement.differences.find((one) => one.code === code);
    expect(found?.cases).toEqual([
      { chunk: 0, massPayoutId: found?.cases[0]?.massPayoutId, amount: '60.5', detail },
    ]);
  });

  it('that do not exist are named, and all other facts are printed', async () => {
    const world = await walletWorld({ wallet: { massPayouts: new Map() } });
    const { differences, statement } = await reconciled(world);
    expect(differences).toEqual(['MASS_PAYOUT_UNREAD 1 60.5']);
    expect(statement.currencies[0]?.transactions).toMatchObject({ count: 3 });
  });

  it('are read by LOOKUP where MASS_GET takes no id', async () => {
    const withdrawals = new Map<string, LookupRecord>([
      ['mp-payroll', { kind: 'massPayout', ...massPayout('payroll') }],
    ]);
    const world = await walletWorld({ wallet: { massPayouts: new Map(), withdrawals } });
    expect(await reconciled(world)).toMatchObject({ code: 0, differences: [] });
  });

  it('that a person adopted may have another key', async () => {
    const massPayouts = new Map([
      ['mp-payroll', massPayout('payroll', { idempotencyKey: keyOf('another', 0) })],
    ]);
    const world = await walletWorld({
      wallet: { massPayouts },
      went: async (store, batchId) => {
        const ref = { batchId, chunk: 0, idempotencyKey: keyOf(batchId, 0) };
        const answer = { kind: 'adopt', massPayoutId: 'mp-payroll', reason: 'r', by: 'a', atMs: 1 };
        await store.sends.setAnswer(ref, answer as never);
        await wentWell(store, batchId);
      },
    });
    expect(await reconciled(world)).toMatchObject({ code: 0, differences: [] });
  });
});

describe('bursar reconcile: withdrawals that the service has named', () => {
  const failedRow = { row: 3, chunk: 0, amount: '20', reason: '', outcome: 'FAILED' } as const;
  const world = (record: object, wallet: Partial<FakeWallet> = {}) =>
    walletWorld({
      wallet: {
        withdrawals: new Map([['w-2', { kind: 'payout', id: 'w-2', ...record } as LookupRecord]]),
        ...wallet,
      },
      went: async (store, batchId) => {
        await playSettle(store, batchId, {
          outcome: 'PAID',
          massPayoutId: `mp-${batchId}`,
          rows: [{ ...failedRow, withdrawalId: 'w-2' }],
        });
        await playEnd(store, batchId, { state: 'PARTIAL' });
      },
    });
  const without = { transactions: ALL_PAID.filter((_, i) => i !== 1) };

  it('and that have not changed are no difference', async () => {
    expect(await reconciled(await world({ state: 'FAILED' }, without))).toMatchObject({ code: 0 });
  });

  it('and that were paid since are matched by their hash', async () => {
    const made = await world({ state: 'COMPLETED', transactionHash: 'hash-2' });
    const { differences, statement } = await reconciled(made);
    expect(differences).toEqual(['UNPAID_ROW_PAID 1 20', 'WITHDRAWAL_CHANGED 1 20']);
    expect(statement.matchedRows).toEqual({ hash: 1, only: 2, equal: 0 });
    expect(linesOf(made.dir)[1]).toMatchObject({ row: '3', certainty: 'hash' });
  });

  it.each([
    ['under another id', { id: 'w-3', state: 'COMPLETED' }],
    [
      'as a mass payout',
      { kind: 'massPayout', state: 'COMPLETED', withdrawalErrors: [], unreadableParts: [] },
    ],
  ])('and are %s prove nothing', async (_what, record) => {
    expect(await reconciled(await world(record, without))).toMatchObject({ code: 0 });
  });
});

describe('bursar reconcile: other batches of the account', () => {
  const twice = [
    ...ALL_PAID,
    ...ALL_PAID.map((of) => ({ ...of, transactionHash: `${of.transactionHash}b` })),
  ];

  it('keep their own transactions', async () => {
    const made = await walletWorld({
      others: { bonus: wentWell },
      wallet: { transactions: twice },
    });
    const { code, statement, differences } = await reconciled(made);
    expect([code, differences]).toEqual([0, []]);
    expect(statement).toMatchObject({
      otherBatches: ['bonus'],
      transactions: { read: 6, ofOtherBatches: 3 },
    });
  });

  it('that lack a transaction make its owner uncertain', async () => {
    const made = await walletWorld({
      others: { bonus: wentWell },
      wallet: { transactions: twice.slice(0, 5) },
    });
    // Both have ended by then, so nothing of either is still to come.
    expect(await reconciled(made, '--to', '2026-11-21T10:00:00Z')).toMatchObject({
      code: 14,
      differences: ['ROW_CONTESTED 1 30'],
    });
  });

  it('that failed own none', async () => {
    const made = await walletWorld({
      wallet: { transactions: twice },
      others: {
        bonus: async (store, batchId) => {
          await playSettle(store, batchId, { outcome: 'FAILED', massPayoutId: 'mp-bonus' });
          await playEnd(store, batchId, { state: 'FAILED' });
        },
      },
    });
    expect(await reconciled(made)).toMatchObject({ differences: ['PAID_AGAIN 3 60.5'] });
  });

  it('that are still under way may have made transactions without an owner', async () => {
    const made = await walletWorld({
      wallet: { transactions: twice },
      others: {
        bonus: async (store, batchId) => {
          await playSettle(store, batchId, { outcome: 'PAID', massPayoutId: 'mp-bonus' });
        },
      },
    });
    expect(await reconciled(made)).toMatchObject({ code: 0, differences: [] });
  });

  it('that resent a row have its transaction, and the row that failed has none', async () => {
    const failed = { row: 3, chunk: 0, amount: '20', reason: '', outcome: 'FAILED' } as const;
    const made = await walletWorld({
      // The file stands for that of the resend: what counts is who was paid what.
      others: { resend: wentWell },
      wallet: {
        transactions: [...twice.filter(({ transactionHash }) => transactionHash !== 'hash-2')],
      },
      went: async (store, batchId) => {
        const massPayoutId = `mp-${batchId}`;
        await playSettle(store, batchId, { outcome: 'PAID', massPayoutId, rows: [failed] });
        await playEnd(store, batchId, { state: 'PARTIAL' });
      },
    });
    expect(await reconciled(made)).toMatchObject({ code: 0, differences: [] });
  });
});

describe('bursar reconcile --save', () => {
  const rowsOf = async (world: Awaited<ReturnType<typeof walletWorld>>) =>
    (await world.json('rows', 'payroll')).value['rows'];

  it('keeps hashes and fees for rows, report and explain', async () => {
    const world = await walletWorld();
    await reconciled(world);
    expect(await rowsOf(world)).toMatchObject([{ transactionHash: '' }, {}, {}]);
    await reconciled(world, '--save');
    expect(await rowsOf(world)).toMatchObject([
      { row: 2, transactionHash: 'hash-1', fee: '0.1', feeCurrency: 'USDT_TRC20' },
      { row: 3, transactionHash: 'hash-2' },
      { row: 4, transactionHash: 'hash-3' },
    ]);
    await world.run('report', 'payroll');
    expect(linesOf(world.dir, 'report.csv')[2]).toMatchObject({ transactionHash: 'hash-3' });
    expect((await world.run('explain', 'payroll', '3')).out).toContain('hash-2');
  });

  it('does not prove itself: a transaction that left the wallet leaves the store', async () => {
    const world = await walletWorld();
    await reconciled(world, '--save');
    world.wallet.transactions = [paidRow(1), paidRow(3)];
    const { differences } = await reconciled(world, '--save');
    expect(differences).toEqual(['ROW_WITHOUT_TRANSACTION 1 20']);
    expect(await rowsOf(world)).toMatchObject([{}, { row: 3, transactionHash: '', fee: '' }, {}]);
  });

  it('keeps the saved transactions when the service has no list any more', async () => {
    const world = await walletWorld();
    await reconciled(world, '--save');
    world.wallet.without = ['TRANSACTION_LIST'];
    await reconciled(world, '--save');
    expect(await rowsOf(world)).toMatchObject([{ transactionHash: 'hash-1' }, {}, {}]);
  });

  it('takes a row that was paid after all out of resend.csv', async () => {
    const world = await walletWorld({
      went: async (store, batchId) => {
        await playSettle(store, batchId, { outcome: 'FAILED', massPayoutId: 'mp-payroll' });
        await playEnd(store, batchId, { state: 'FAILED' });
      },
      wallet: { transactions: [paidRow(2)] },
    });
    await world.run('report', 'payroll');
    expect(linesOf(world.dir, 'resend.csv')).toHaveLength(3);
    await reconciled(world, '--save');
    await world.run('report', 'payroll');
    const resent = linesOf(world.dir, 'resend.csv').map((line) => line['address']);
    expect(resent).toEqual([address(1), address(3)]);
    expect(linesOf(world.dir, 'investigate.csv')).toMatchObject([{ row: '3', outcome: 'FAILED' }]);
    const { out } = await world.run('explain', 'payroll', '3');
    expect(out).toContain('Did transaction hash-2 of the wallet pay it after all?');
  });
});

describe('the requests of bursar reconcile', () => {
  it('name the account of the batch, at a steady pace', async () => {
    const world = await walletWorld({ env: { BURSAR_API_REQUESTS_PER_SECOND: '1000' } });
    await reconciled(world);
    expect(new Set(world.wallet.accounts)).toEqual(new Set([ACCOUNT]));
    const store = await world.store();
    const slots = await writableDb(store).selectFrom('pace').select('account').execute();
    await store.close();
    expect(slots).toEqual([{ account: ACCOUNT }]);
  });

  it('cover the given time', async () => {
    const world = await walletWorld();
    const times = ['--from', '2026-11-21T09:59:02+01:00', '--to', '2026-11-21T08:59:02Z'];
    const { statement, differences } = await reconciled(world, ...times);
    expect([statement.from, statement.to]).toEqual([
      ...['2026-11-21T08:59:02.000Z', '2026-11-21T08:59:02.000Z'],
    ]);
    expect(statement.transactions?.read).toBe(1);
    expect(differences).toEqual(['ROW_WITHOUT_TRANSACTION 2 40.5']);
  });

  it.each([
    ['reconcile nobody', 'BATCH_NOT_FOUND', 5],
    ['reconcile ../x', 'BATCH_ID_INVALID', 2],
    ['reconcile payroll --from yesterday', 'TIME_UNREADABLE', 2],
    ['reconcile payroll --to 2026-11-21T09:00:00', 'TIME_UNREADABLE', 2],
    ['reconcile payroll --from 2026-11-21T09:00:00Z --to 2026-11-21T08:00:00Z', 'FLAG_INVALID', 2],
    ['reconcile payroll --out ..', 'FLAG_INVALID', 2],
    ['reconcile payroll --out file.csv/x.json', 'FLAG_INVALID', 2],
  ])('"bursar %s" is refused with %s, exit %i', async (command, code, exitCode) => {
    const world = await walletWorld();
    const ended = await world.json(...command.split(' '));
    expect([ended.value['code'], ended.code]).toEqual([code, exitCode]);
  });

  it('print foreign text as plain text, on the terminal and in the file', async () => {
    const hash = '=HYPERLINK("x")\u001B[31m';
    const transactions = [...ALL_PAID, paidRow(2, { transactionHash: hash, opCode: '\u202Ekcab' })];
    const world = await walletWorld({ wallet: { transactions } });
    const { out } = await world.run('reconcile', 'payroll');
    expect(out).toContain('=HYPERLINK("x")\\u{1b}[31m');
    expect(out).not.toContain('\u001B');
    expect(out).not.toContain('\u202E');
    const stray = linesOf(world.dir).find(({ difference }) => difference === 'PAID_AGAIN');
    expect(stray?.['transactionHash']).toMatch(/^'=HYPERLINK/);
  });
});
