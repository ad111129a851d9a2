import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { exactUnits } from './exact-units.ts';
import {
  type LedgerWithdrawal,
  ledgerBalances,
  ledgerWithdrawals,
  readReport,
  withdrawalsByAddress,
} from './oracle.ts';
import { expectRowsFitLedger, type ReportLine, reportLines } from './row-outcomes.ts';
import type { SampleRow } from './sample-file.ts';

/**
 * Holds report, file and ledger side by side: no row is paid twice, none is lost, every sum is exact, and what the report
 * says of each row is what the service did. `fileRows` are the rows of the file, in order; the sandbox has paid no other.
 */
export async function expectExactlyOnce(
  sandboxUrl: string,
  reportDir: string,
  fileRows: readonly SampleRow[],
): Promise<void> {
  await expectRowsFitLedger(sandboxUrl, reportDir, fileRows);
  const withdrawals = await ledgerWithdrawals(sandboxUrl);
  const tagged = withdrawals.map(({ comment, depositAddress }) => [rowOf(comment), depositAddress]);
  expect(tagged).toEqual(tagged.map(([row]) => [row, fileRows[Number(row) - 2]?.address]));
  const report = readReport(reportDir);
  const paid = withdrawals.filter(({ state }) => state === 'COMPLETED');
  expect(report.rows.paid).toBe(paid.length);
  for (const line of report.amounts) {
    const ours = paid.filter(({ currency }) => currency === line.currency);
    const sum = ours.reduce((units, { amount }) => units + exactUnits(amount), 0n);
    expect([line.currency, String(exactUnits(line.paid))]).toEqual([line.currency, String(sum)]);
  }
  await expectConservation(sandboxUrl, reportLines(reportDir));
}

/** The row that a withdrawal says it is for: the number at the end of its comment. */
const rowOf = (comment: string): number => Number(/-(\d+)$/.exec(comment)?.[1]);

/**
 * What left the account is what the reports below `folder` call paid, and its fees: for everything that a sandbox has done.
 * All batches have ended, and no address stands in two of them.
 */
export async function expectEverythingTies({
  sandboxUrl,
  folder,
}: Readonly<{ sandboxUrl: string; folder: string }>): Promise<void> {
  const runs = join(folder, 'runs');
  const dirs = existsSync(runs) ? readdirSync(runs).map((batchId) => join(runs, batchId)) : [];
  const reported = dirs.filter((dir) => existsSync(join(dir, 'report.csv')));
  await expectConservation(
    sandboxUrl,
    reported.flatMap((dir) => reportLines(dir)),
  );
}

/**
 * Opening balance less closing balance is what the reports call PAID, what the ledger has of rows that are UNKNOWN, and one fee
 * of each, to the last digit: what the service paid and no report tells of is missing here, and so is a second payment.
 */
async function expectConservation(sandboxUrl: string, lines: readonly ReportLine[]): Promise<void> {
  const made = withdrawalsByAddress(await ledgerWithdrawals(sandboxUrl));
  const explained = new Map<string, bigint>();
  for (const line of lines) {
    const before = explained.get(line.currency) ?? 0n;
    explained.set(line.currency, before + unitsThatLeft(line, made.get(line.address)?.[0]));
  }
  for (const { currency, opening, balance, tiesOut } of await ledgerBalances(sandboxUrl)) {
    const gone = exactUnits(opening) - exactUnits(balance);
    const meant = explained.get(currency) ?? 0n;
    // As text: a test that fails cannot tell of a bigint from one process to another.
    expect([currency, tiesOut, String(gone)]).toEqual([currency, true, String(meant)]);
  }
}

function unitsThatLeft(
  { outcome, amount }: ReportLine,
  made: LedgerWithdrawal | undefined,
): bigint {
  const fee = made === undefined ? 0n : exactUnits(made.fee);
  if (outcome === 'PAID') return exactUnits(amount) + fee;
  const wasKept = outcome === 'UNKNOWN' && made !== undefined && !CREDITED_BACK.has(made.state);
  return wasKept ? exactUnits(made.amount) + fee : 0n;
}

/** States of withdrawals whose amount and fee the service has given back. */
const CREDITED_BACK: ReadonlySet<string> = new Set(['FAILED', 'CANCELED']);
