import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { readRecords } from '../report/support/read-csv.ts';
import { ledgerWithdrawals, readReport, withdrawalsByAddress } from './oracle.ts';
import type { SampleRow } from './sample-file.ts';

/** What the ledger may show of a row with this outcome: the states of its withdrawals, of which there is one at most. */
const STATES_ALLOWED: Readonly<Record<string, readonly string[]>> = {
  PAID: ['COMPLETED'],
  FAILED: ['none', 'FAILED'],
  NOT_SENT: ['none', 'CANCELED'],
  UNKNOWN: ['none', 'COMPLETED', 'FAILED', 'CANCELED', 'IN_PROGRESS'],
};

export type ReportLine = Readonly<{
  address: string;
  amount: string;
  currency: string;
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
  const made = withdrawalsByAddress(await ledgerWithdrawals(sandboxUrl));
  const lines = reportLines(reportDir);
  const told = lines.map(({ address, amount, currency }) => ({ address, amount, currency }));
  expect(told).toEqual(
    fileRows.map(({ address, amount, currency }) => ({ address, amount, currency })),
  );
  const misfits = lines.flatMap(({ address, amount, currency, outcome }) => {
    const ours = made.get(address) ?? [];
    const state = ours[0]?.state ?? 'none';
    const isMeant = ours.every((one) => one.amount === amount && one.currency === currency);
    const fits = ours.length <= 1 && isMeant && STATES_ALLOWED[outcome]?.includes(state);
    return fits ? [] : [{ address, amount, currency, outcome, ours }];
  });
  expect(misfits).toEqual([]);
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
