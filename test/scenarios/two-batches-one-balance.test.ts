import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  addAmounts,
  compareAmounts,
  formatAmount,
  parseAmount,
  subtractAmounts,
  sumAmounts,
} from '../../src/domain/money/amount.ts';
import { parseSignedAmount } from '../../src/domain/money/signed-amount.ts';
import { groupedAmount } from '../../src/domain/text/money-text.ts';
import { eventually } from '../support/eventually.ts';
import { type LedgerWithdrawal, ledgerBalances, ledgerWithdrawals } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const CURRENCY = 'USDT_TRC20';
const ROWS = 60;
/** Carries one batch of some 240 with its fees, and not two. */
const BALANCE = parseAmount('400');

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({
    folder: sharedFolder(),
    env: {
      BURSAR_BATCH_CHUNK_ROWS: '10',
      BURSAR_SANDBOX_BALANCES: JSON.stringify({ [CURRENCY]: formatAmount(BALANCE) }),
      BURSAR_SANDBOX_DELAY_MS_CREATE: '30',
    },
  });
  await stack.startAnotherWorker();
});
afterAll(() => stack.stop());

let written = 0;

type Batch = Readonly<{ batchId: string; file: string; total: string }>;

/** A batch of rows that no other one has, all of which can be paid. */
function newBatch(): Batch {
  const batchId = newBatchId();
  written += 1;
  const rows = sampleRows({ rows: ROWS * written, currencies: [CURRENCY] }).slice(-ROWS);
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, rows);
  return {
    batchId,
    file,
    total: formatAmount(sumAmounts(rows.map((row) => parseAmount(row.amount)))),
  };
}

const balanceNow = async () => {
  const lines = await ledgerBalances(stack.sandboxUrl);
  const line = lines.find(({ currency }) => currency === CURRENCY);
  expect(line?.tiesOut).toBe(true);
  return parseSignedAmount(line?.balance ?? '0');
};

/** Fills the account up to what it held at first. */
async function refill(): Promise<void> {
  const missing = subtractAmounts(BALANCE, await balanceNow());
  if (missing.units > 0n) {
    await sandboxControl(stack.sandboxUrl).topUp(CURRENCY, formatAmount(missing));
  }
}

type End = Awaited<ReturnType<TestStack['json']>>;

const submit = ({ batchId, file }: Batch, ...flags: string[]): Promise<End> =>
  stack.json('submit', file, '--id', batchId, '--yes', ...flags);

/** What the sandbox has taken since there were `before` withdrawals. */
async function takenSince(before: number): Promise<readonly LedgerWithdrawal[]> {
  return (await ledgerWithdrawals(stack.sandboxUrl)).slice(before);
}

const sumOf = (withdrawals: readonly LedgerWithdrawal[]): string =>
  formatAmount(sumAmounts(withdrawals.map(({ amount }) => parseAmount(amount))));

describe('two batches that together exceed the balance, submitted at the same moment to two workers', () => {
  it.each([1, 2, 3, 4])('exactly one is paid, the other fails (round %d)', async () => {
    await refill();
    const before = (await ledgerWithdrawals(stack.sandboxUrl)).length;
    const batches = [newBatch(), newBatch()];
    const ends = await Promise.all(batches.map((batch) => submit(batch)));
    expect(ends.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 11]);

    const winner = batches[ends.findIndex(({ code }) => code === 0)];
    const loser = ends.find(({ code }) => code === 11);
    expect(loser?.value).toMatchObject({
      state: 'FAILED',
      rows: { notSent: ROWS, paid: 0 },
      error: { code: 'FUNDS_TOO_LOW' },
    });
    const taken = await takenSince(before);
    expect([taken.length, sumOf(taken)]).toEqual([ROWS, winner?.total]);
    const fees = sumAmounts(taken.map(({ fee }) => parseSignedAmount(fee)));
    const paid = addAmounts(parseAmount(winner?.total ?? ''), fees);
    expect(formatAmount(await balanceNow())).toBe(formatAmount(subtractAmounts(BALANCE, paid)));
  });

  it('exactly one is paid, the other waits for a top-up and is paid then', async () => {
    await refill();
    const before = (await ledgerWithdrawals(stack.sandboxUrl)).length;
    const batches = [newBatch(), newBatch()];
    const ended = batches.map((batch) => submit(batch, '--funds', 'wait:3m'));
    const first = await Promise.race(ended.map(async (end, i) => ({ i, ...(await end) })));
    expect(first.code).toBe(0);
    const [one, other] = first.i === 0 ? batches : batches.toReversed();
    await eventually('the other waits', async () => {
      const { value } = await stack.json('status', other?.batchId ?? '');
      return value['state'] === 'AWAITING_FUNDS' ? true : undefined;
    });
    const taken = await takenSince(before);
    expect([taken.length, sumOf(taken)]).toEqual([ROWS, one?.total]);

    const { value: funds } = await stack.json('funds');
    expect(funds['claims']).toMatchObject([
      { batchId: other?.batchId, stage: 'WAITING', running: true },
    ]);
    expect(funds['forecast']).toMatchObject([{ short: [{ currency: CURRENCY }] }]);

    await refill();
    expect((await Promise.all(ended)).map(({ code }) => code)).toEqual([0, 0]);
    expect((await takenSince(before)).length).toBe(2 * ROWS);
    expect(compareAmounts(await balanceNow(), parseAmount('0'))).toBeGreaterThanOrEqual(0);
  });
});

it('two batches that fit together are both paid, however close it is', async () => {
  await refill();
  await sandboxControl(stack.sandboxUrl).topUp(CURRENCY, '200');
  const ends = await Promise.all([newBatch(), newBatch()].map((batch) => submit(batch)));
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
});

it('the money of a scheduled batch is kept: plan, submit and forecast show one figure for it', async () => {
  await refill();
  const [scheduled, later] = [newBatch(), newBatch()];
  const at = new Date(Date.now() + 86_400_000).toISOString();
  await submit(scheduled, '--at', at, '--detach');
  await eventually('the scheduled batch has its place', async () => {
    const { value } = await stack.json('funds');
    return (value['claims'] as unknown[]).length === 1 ? true : undefined;
  });

  const planned = await stack.json('plan', later.file, '--id', later.batchId, '--online');
  const { left = '' } = (planned.value['funds'] as { left: string }[])[0] ?? {};
  expect(left).toMatch(/^-/);
  const short = left.slice(1);
  const ended = submit(later, '--funds', 'wait:3m');
  await eventually('the later one waits', async () => {
    const { value } = await stack.json('status', later.batchId);
    return value['state'] === 'AWAITING_FUNDS' ? true : undefined;
  });
  const { value: inbox } = await stack.json('inbox');
  expect(JSON.stringify(inbox)).toContain(`Short by ${groupedAmount(short)}.`);
  const [now] = (await stack.json('funds')).value['forecast'] as unknown[];
  expect(now).toMatchObject({
    demands: [{ name: later.batchId }],
    kept: [{ name: scheduled.batchId }],
    short: [{ currency: CURRENCY, amount: short }],
  });

  await sandboxControl(stack.sandboxUrl).topUp(CURRENCY, short);
  expect((await ended).code).toBe(0);
  expect((await stack.json('cancel', scheduled.batchId, '--reason', 'a test')).code).toBe(0);
});
