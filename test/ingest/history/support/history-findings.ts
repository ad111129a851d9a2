import type { PayeeRules } from '../../../../src/domain/plan/rules.ts';
import { NO_PAYEES, type PayeeBook } from '../../../../src/ingest/history/payee-book.ts';
import type { Finding } from '../../../../src/domain/plan/finding.ts';
import { createFindingCollector } from '../../../../src/ingest/finding-collector.ts';
import { compareWithHistory } from '../../../../src/ingest/history/compare-with-history.ts';
import { overlapFinding } from '../../../../src/ingest/history/overlaps.ts';
import { createBatchFingerprints } from '../../../../src/ingest/history/batch-fingerprints.ts';
import type { PastBatch } from '../../../../src/store/rows/fingerprints.ts';
import { NOW_MS, type Paid, segmentsOf } from './test-rows.ts';

export const HISTORY_DAYS = 25;

/** The register of payees that rows are compared with, and its rule. */
type Register = Readonly<{ payees: PayeeBook; payeeRules?: PayeeRules }>;

/** Returns the findings of rows in comparison with other batches and the account's addresses. */
export async function historyFindings(
  rows: readonly Paid[],
  others: readonly PastBatch[] = [],
  ownAddresses: readonly string[] = [],
  register: Register = { payees: NO_PAYEES },
): Promise<Finding[]> {
  const segments = segmentsOf(rows);
  const own = createBatchFingerprints({ prints: () => segments, count: rows.length });
  const collector = createFindingCollector();
  const history = { others, ownAddresses, payAtMs: NOW_MS, historyDays: HISTORY_DAYS, ...register };
  const { overlaps } = await compareWithHistory(own, history, collector);
  return [...collector.findings(), ...overlapFinding(overlaps, rows.length)];
}

/** Returns `CODE count` of each finding, in the order of the codes. */
export const codesOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ code, count }) => `${code} ${count}`).sort();

/** Returns the rows that a finding names, each with its detail. */
export const examplesOf = (findings: readonly Finding[], code: Finding['code']): string[] =>
  (findings.find((finding) => finding.code === code)?.examples ?? []).map(
    ({ row, detail }) => `${row}: ${detail}`,
  );
