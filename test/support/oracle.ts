import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import {
  formatAmount,
  parseAmount,
  subtractAmounts,
  sumAmounts,
} from '../../src/domain/money/amount.ts';
import { parseSignedAmount } from '../../src/domain/money/signed-amount.ts';
import type { Report } from '../../src/domain/report/report.ts';

/** A withdrawal as the sandbox has it: the oracle is its own ledger, never the engine's tables. */
export type LedgerWithdrawal = Readonly<{
  idempotencyKey: string;
  massPayoutId: string;
  currency: string;
  depositAddress: string;
  amount: string;
  fee: string;
  comment: string;
  state: string;
}>;

type Balance = Readonly<{ currency: string; opening: string; balance: string; tiesOut: boolean }>;

export async function ledgerWithdrawals(sandboxUrl: string): Promise<LedgerWithdrawal[]> {
  const answer = await fetch(`${sandboxUrl}/sandbox/payouts`);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as LedgerWithdrawal);
}

export async function ledgerBalances(sandboxUrl: string): Promise<Balance[]> {
  const answer = await fetch(`${sandboxUrl}/sandbox/ledger?limit=1`);
  return ((await answer.json()) as { balances: Balance[] }).balances;
}

type LoggedRequest = Readonly<{
  operation: string;
  idempotencyKey: string | null;
  status: number | null;
  errorCode: string | null;
}>;

/** Requests of one operation that the sandbox saw, in order. */
export async function requestsOf(sandboxUrl: string, operation: string): Promise<LoggedRequest[]> {
  const found: LoggedRequest[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const answer: Response = await fetch(
      `${sandboxUrl}/sandbox/requests?after=${after}&limit=1000`,
    );
    const page = (await answer.json()) as { requests: LoggedRequest[]; next: number | null };
    found.push(...page.requests.filter((request) => request.operation === operation));
    after = page.next;
  }
  return found;
}

export const requestCount = async (sandboxUrl: string, operation: string): Promise<number> =>
  (await requestsOf(sandboxUrl, operation)).length;

export const readReport = (reportDir: string): Report =>
  JSON.parse(readFileSync(join(reportDir, 'report.json'), 'utf8')) as Report;

/** Cells of a CSV file that has no quotes, without its header. */
export const readPlainCsv = (path: string): string[][] =>
  readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

/**
 * Holds report, file and ledger side by side: no row is paid twice, none is lost, every sum is exact, and what the report
 * calls PAID or FAILED is what the service did. `fileRows` are address and amount of each row, in order.
 */
export async function expectExactlyOnce(
  sandboxUrl: string,
  reportDir: string,
  fileRows: readonly Readonly<{ address: string; amount: string }>[],
): Promise<void> {
  const report = readReport(reportDir);
  const withdrawals = await ledgerWithdrawals(sandboxUrl);
  const paid = withdrawals.filter(({ state }) => state === 'COMPLETED');
  const byRow = new Map<number, LedgerWithdrawal[]>();
  for (const withdrawal of withdrawals) {
    const row = Number(/-(\d+)$/.exec(withdrawal.comment)?.[1]);
    byRow.set(row, [...(byRow.get(row) ?? []), withdrawal]);
  }
  for (const [row, ofRow] of byRow) {
    const file = fileRows[row - 2];
    expect([row, ofRow.length]).toEqual([row, 1]);
    expect([row, ofRow[0]?.depositAddress, ofRow[0]?.amount]).toEqual([
      row,
      file?.address,
      file?.amount,
    ]);
  }
  expect(report.rows.paid).toBe(paid.length);
  expect(report.rows.total).toBe(fileRows.length);
  for (const line of report.amounts) {
    const ours = paid.filter(({ currency }) => currency === line.currency);
    expect(line.paid).toBe(formatAmount(sumAmounts(ours.map(({ amount }) => parseAmount(amount)))));
  }
  await expectConservation(sandboxUrl, withdrawals);
}

/** What left the account is what is paid or under way, and the fees: for everything that a sandbox has done. */
export const expectEverythingTies = async (sandboxUrl: string): Promise<void> =>
  expectConservation(sandboxUrl, await ledgerWithdrawals(sandboxUrl));

/** Opening balance less closing balance is what was paid and its fees, to the last digit. */
async function expectConservation(
  sandboxUrl: string,
  withdrawals: readonly LedgerWithdrawal[],
): Promise<void> {
  for (const { currency, opening, balance, tiesOut } of await ledgerBalances(sandboxUrl)) {
    const kept = withdrawals.filter(
      (withdrawal) => withdrawal.currency === currency && withdrawal.state !== 'FAILED',
    );
    const gone = sumAmounts(
      kept.flatMap(({ amount, fee }) => [parseAmount(amount), parseSignedAmount(fee)]),
    );
    expect(tiesOut).toBe(true);
    const difference = subtractAmounts(parseSignedAmount(opening), parseSignedAmount(balance));
    expect([currency, formatAmount(difference)]).toEqual([currency, formatAmount(gone)]);
  }
}
