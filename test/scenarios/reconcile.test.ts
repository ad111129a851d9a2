import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ReconciledBatch } from '../../src/operations/reconcile/reconcile-batch.ts';
import { readRecords } from '../report/support/read-csv.ts';
import { moneyText } from '../../src/domain/text/money-text.ts';
import { eventually } from '../support/eventually.ts';
import { fatedRowMaker } from '../support/fated-rows.ts';
import { readPlainCsv, readReport } from '../support/oracle.ts';
import { personAtAdminApi } from '../support/person.ts';
import { type SampleRow, writeSample } from '../support/sample-file.ts';
import { sandboxAdmin } from '../support/sandbox-admin.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;
const tron = fatedRowMaker('USDT_TRC20');
const evm = fatedRowMaker('USDC_ERC20');

beforeAll(async () => {
  stack = await startTestStack({
    folder: sharedFolder(),
    // What people change after the end is left for the reconciliation to find.
    env: { BURSAR_BATCH_CHUNK_ROWS: '3', BURSAR_REPORT_FOLLOW_DAYS: '0' },
  });
});
afterAll(() => stack.stop());

/** Pays rows to the end of their batch. */
async function pay(rows: readonly SampleRow[], ...flags: string[]) {
  const batchId = newBatchId();
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, rows);
  const { code } = await stack.json('submit', file, '--id', batchId, '--yes', ...flags);
  return { batchId, code, dir: join(stack.folder, 'runs', batchId) };
}

async function reconcile(batchId: string, ...flags: string[]) {
  const { code, value } = await stack.json('reconcile', batchId, ...flags);
  return { code, statement: value as unknown as ReconciledBatch };
}

const codesOf = ({ differences }: ReconciledBatch): string[] =>
  differences.map(({ code, count }) => `${code} ${count}`);

type Line = Record<string, string>;

const linesOf = (dir: string, file: string): Line[] =>
  readRecords(readFileSync(join(dir, file), 'utf8'));

type Shown = Readonly<{ comment: string; fee: string; transactionHash: string | null }>;

/** Hash and fee of each row as the sandbox has them, by row number; the comment that was sent names the row. */
async function paidBy(dir: string): Promise<Map<string, Shown>> {
  const admin = sandboxAdmin(stack.sandboxUrl);
  const paid = new Map<string, Shown>();
  for (const { massPayoutId } of readReport(dir).massPayouts) {
    const { withdrawals } = (await admin.get(
      `mass-payouts/withdrawals?id=${massPayoutId}`,
    )) as Readonly<{ withdrawals: readonly Shown[] }>;
    for (const each of withdrawals) paid.set(/-(\d+)$/.exec(each.comment)?.[1] ?? '', each);
  }
  return paid;
}

/** Pays somebody past the engine, as a person does in the service's interface. */
async function payByHand(row: SampleRow): Promise<void> {
  const { address: depositAddress, amount, currency } = row;
  const payload = {
    currency,
    idempotencyKey: randomUUID(),
    massAddresses: [{ depositAddress, amount }],
  };
  const confirmed = ['--confirm', `${amount}:${currency}`];
  const { value } = await stack.json('api', 'create-payout', JSON.stringify(payload), ...confirmed);
  await eventually('it is paid', async () => {
    const { value: payout } = await stack.json('api', 'payout', '--id', String(value['id']));
    return payout['state'] === 'COMPLETED' ? true : undefined;
  });
}

describe('a batch that was paid', () => {
  it('ties with the wallet; after --save its report has the hash and fee of every row', async () => {
    const twice = tron(['0000']);
    const rows = [...tron(['0000', '0000', '0000', '0000']), ...twice, ...twice, ...evm(['0000'])];
    const { batchId, code, dir } = await pay(rows, '--accept', 'DUPLICATE_ROW');
    expect(code).toBe(0);
    expect(linesOf(dir, 'report.csv')[0]?.['transactionHash']).toBe('');

    const { code: ties, statement } = await reconcile(batchId, '--save');
    expect([ties, codesOf(statement), statement.ties]).toEqual([0, [], true]);
    expect(statement).toMatchObject({
      schema: 'bursar.reconciliation/v1',
      batchId,
      state: 'COMPLETED',
      rows: { total: 7, refused: 0 },
      matchedRows: { hash: 0, only: 5, equal: 2 },
    });
    for (const { file, engine, massPayouts, transactions } of statement.currencies) {
      expect(engine.PAID).toEqual(file);
      expect(massPayouts).toMatchObject({ amount: file.amount });
      expect(transactions).toMatchObject(file);
      expect(transactions?.serviceFees).toMatchObject([{ amount: massPayouts.fee }]);
    }

    expect((await stack.json('report', batchId)).code).toBe(0);
    const paid = await paidBy(dir);
    const hashes = (lines: Line[]) => lines.map(({ transactionHash }) => transactionHash);
    const report = linesOf(dir, 'report.csv');
    // The two equal rows may have each other's hash: nobody can tell them apart.
    const expected = [...paid.values()].map(({ transactionHash }) => transactionHash);
    expect(new Set(hashes(report))).toEqual(new Set(expected));
    for (const { row = '', fee, feeCurrency, currency, transactionHash } of report) {
      expect([row, fee, feeCurrency]).toEqual([row, paid.get(row)?.fee, currency]);
      const isEqual = row === '6' || row === '7';
      if (!isEqual) expect(transactionHash).toBe(paid.get(row)?.transactionHash);
    }
    expect(hashes(linesOf(dir, 'reconciliation.csv'))).toEqual(hashes(report));
    const written = readFileSync(join(dir, 'reconciliation.json'), 'utf8');
    const { files, ...stated } = statement;
    expect(JSON.parse(written)).toEqual(stated);
    expect(files).toMatchObject({ json: join(dir, 'reconciliation.json') });
    const story = await stack.bursar('explain', batchId, '2');
    expect(story.out).toContain(report[0]?.['transactionHash']);
  });

  it('ties as far as the service allows when it has no list of transactions', async () => {
    const { batchId, dir } = await pay(tron(['0000', '0000']));
    const none = {
      BURSAR_API_ENDPOINT_TRANSACTION_LIST: '',
      BURSAR_API_ENDPOINT_WALLET_LIST: '',
      BURSAR_API_ENDPOINT_LOOKUP: '',
    };
    const { code, out } = await stack.bursarWith(none, 'reconcile', batchId);
    expect(code).toBe(0);
    expect(out).toContain('everything matches, as far as the service shows');
    expect(out).toContain('wallet: not available: the service has no such operation');
    expect(linesOf(dir, 'reconciliation.csv')).toHaveLength(2);
  });

  it('is told apart from another one that paid the same amounts to the same recipients', async () => {
    const rows = tron(['0000', '0000', '0000', '0000']);
    const first = await pay(rows);
    const second = await pay(rows, '--accept', 'SAME_FILE_AGAIN');
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { code, statement } = await reconcile(one.batchId);
      expect([code, codesOf(statement)]).toEqual([0, []]);
      expect(statement.otherBatches).toContain(other.batchId);
    }
    const { statement } = await reconcile(first.batchId);
    expect(statement.transactions).toMatchObject({ ofOtherBatches: 4 });
  });
});

describe('acts of people in the service itself are named', () => {
  it('a row that was paid again, and a payment of another amount', async () => {
    const rows = tron(['0000', '0000', '0000']);
    const { batchId, dir } = await pay(rows);
    const [first, second] = rows as [SampleRow, SampleRow];
    await payByHand(first);
    await payByHand({ ...second, amount: '0.25' });

    const { code, statement } = await reconcile(batchId);
    expect(code).toBe(14);
    expect(statement.ties).toBe(false);
    expect(statement.differences).toMatchObject([
      { code: 'PAID_AGAIN', count: 1, amount: first.amount, cases: [{ row: 2 }] },
      {
        code: 'STRAY_TRANSACTION',
        count: 1,
        amount: '0.25',
        cases: [{ address: second.address }],
      },
    ]);
    const strays = linesOf(dir, 'reconciliation.csv').filter(({ row }) => row === '');
    expect(strays.map(({ address }) => address)).toEqual([first.address, second.address]);
    const { out } = await stack.bursar('reconcile', batchId);
    expect(out).toContain(
      `1. PAID_AGAIN: 1 transactions, ${moneyText(first.amount, 'USDT_TRC20')}`,
    );
  });

  it('a failed withdrawal that was sent again: its row is in resend.csv no more', async () => {
    const rows = tron(['0000', '0001', '0000', '0001', '0000']);
    const { batchId, code, dir } = await pay(rows);
    expect(code).toBe(10);
    expect(await reconcile(batchId)).toMatchObject({ code: 0, statement: { ties: true } });
    expect(readPlainCsv(join(dir, 'resend.csv'))).toHaveLength(2);

    const control = sandboxControl(stack.sandboxUrl);
    const massPayout = await control.massPayoutOf(batchId, 0);
    await personAtAdminApi(stack.sandboxUrl).resend(massPayout?.id ?? '');
    await eventually('it is paid', async () =>
      (await control.massPayoutOf(batchId, 0))?.state === 'COMPLETED' ? true : undefined,
    );
    const { code: differs, statement } = await reconcile(batchId, '--save');
    expect([differs, codesOf(statement)]).toEqual([
      14,
      ['UNPAID_ROW_PAID 1', 'WITHDRAWAL_CHANGED 1', 'MASS_PAYOUT_CHANGED 1'],
    ]);
    expect(statement.differences[0]?.cases).toMatchObject([{ row: 3, address: rows[1]?.address }]);

    await stack.json('report', batchId);
    const resend = readPlainCsv(join(dir, 'resend.csv')).map(([address]) => address);
    expect(resend).toEqual([rows[3]?.address]);
    const investigate = linesOf(dir, 'investigate.csv');
    expect(investigate.map(({ row }) => row)).toEqual(['3']);
    expect(investigate[0]?.['lookFor']).toContain('of the wallet pay it after all?');
  });
});

it('an open batch is compared with the rows that are paid so far', async () => {
  const control = sandboxControl(stack.sandboxUrl);
  await control.demandConfirmations(1);
  const batchId = newBatchId();
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, tron(['0000', '0000', '0000', '0000']));
  await stack.bursar('submit', file, '--id', batchId, '--yes', '--detach');
  const waiting = async (chunk: number): Promise<string> =>
    eventually('it waits for a person', async () => {
      const found = await control.massPayoutOf(batchId, chunk);
      return found?.state === 'PENDING_CONFIRMATION' ? found.id : undefined;
    });
  const person = personAtAdminApi(stack.sandboxUrl);
  await person.confirm(await waiting(0));
  await eventually('it is paid', async () => {
    const { value } = await stack.json('status', batchId);
    return (value['rows'] as { paid: number }).paid === 3 ? true : undefined;
  });
  const second = await waiting(1);
  const { code, statement } = await reconcile(batchId);
  expect([code, codesOf(statement)]).toEqual([0, []]);
  expect(statement.currencies).toMatchObject([
    { engine: { PAID: { count: 3 }, IN_FLIGHT: { count: 1 } }, transactions: { count: 3 } },
  ]);
  await person.confirm(second);
  expect((await stack.json('watch', batchId)).code).toBe(0);
  expect(existsSync(join(stack.folder, 'runs', batchId, 'report.json'))).toBe(true);
  await control.demandConfirmations(0);
});
