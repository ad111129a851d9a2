import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { readRecords } from '../report/support/read-csv.ts';
import { ledgerWithdrawals, readReport } from './oracle.ts';
import type { SampleRow } from './sample-file.ts';

/** What the ledger may show of a row with this outcome: the states of its withdrawals, of which there is one at most. */
const STATES_ALLOWED: Readonly<Record<string, readonly string[]>> = {
  PAID: ['COMPLETED'],
  FAILED: ['none', 'FAILED'],
  NOT_SENT: ['none', 'CANCELED'],
  UNKNOWN: ['none', 'COMPLETED', 'FAILED', 'CANCELED', 'IN_PROGRESS'],
};

type ReportLine = Readonly<{
  address: string;
  outcome: string;
  reason: string;
  idempotencyKey: string;
}>;

/** The lines of `report.csv`, or of another file of a report that has the same columns. */
export const reportLines = (reportDir: string, file = 'report.csv'): ReportLine[] =>
  readRecords(readFileSync(join(reportDir, file), 'utf8')) as ReportLine[];

/**
 * Holds each row of a batch that ended against the sandbox's ledger: at most one withdrawal, and one that fits the outcome;
 * what cannot be known is UNKNOWN. Answers with the outcomes in the order of the file. No address may stand in two files.
 */
export async function expectRowsFitLedger(
  sandboxUrl: string,
  reportDir: string,
  fileRows: readonly SampleRow[],
): Promise<string[]> {
  const ledger = await ledgerWithdrawals(sandboxUrl);
  const lines = reportLines(reportDir);
  expect(lines.map(({ address }) => address)).toEqual(fileRows.map(({ address }) => address));
  for (const [i, { address, outcome }] of lines.entries()) {
    const made = ledger.filter(({ depositAddress }) => depositAddress === address);
    const amounts = made.map(({ amount }) => amount);
    expect([address, amounts]).toEqual([
      address,
      amounts.length === 0 ? [] : [fileRows[i]?.amount],
    ]);
    const state = made[0]?.state ?? 'none';
    expect([address, outcome, STATES_ALLOWED[outcome]?.includes(state) ? 'fits' : state]).toEqual([
      address,
      outcome,
      'fits',
    ]);
  }
  const outcomes = lines.map(({ outcome }) => outcome);
  const count = (wanted: string): number => outcomes.filter((each) => each === wanted).length;
  expect(readReport(reportDir).rows).toEqual({
    total: fileRows.length,
    paid: count('PAID'),
    failed: count('FAILED'),
    unknown: count('UNKNOWN'),
    notSent: count('NOT_SENT'),
    inFlight: 0,
  });
  return outcomes;
}
