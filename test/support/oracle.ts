import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchReport } from '../../src/domain/report/report.ts';

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

/** The same by the address that they pay, so that each row of a big file is found at once. */
export function withdrawalsByAddress(
  withdrawals: readonly LedgerWithdrawal[],
): ReadonlyMap<string, readonly LedgerWithdrawal[]> {
  const found = new Map<string, LedgerWithdrawal[]>();
  for (const withdrawal of withdrawals) {
    const others = found.get(withdrawal.depositAddress);
    if (others === undefined) found.set(withdrawal.depositAddress, [withdrawal]);
    else others.push(withdrawal);
  }
  return found;
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
    // Waits repeat this. Without the filter, the sandbox would write every lookup and read as JSON each time.
    const answer: Response = await fetch(
      `${sandboxUrl}/sandbox/requests?operation=${operation}&after=${after}&limit=1000`,
    );
    const page = (await answer.json()) as { requests: LoggedRequest[]; next: number | null };
    found.push(...page.requests);
    after = page.next;
  }
  return found;
}

export const requestCount = async (sandboxUrl: string, operation: string): Promise<number> =>
  (await requestsOf(sandboxUrl, operation)).length;

export const readReport = (reportDir: string): BatchReport =>
  JSON.parse(readFileSync(join(reportDir, 'report.json'), 'utf8')) as BatchReport;

/** Cells of a CSV file that has no quotes, without its header. */
export const readPlainCsv = (path: string): string[][] =>
  readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
