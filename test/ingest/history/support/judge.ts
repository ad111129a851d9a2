import type { Finding } from '../../../../src/domain/plan/finding.ts';
import { createFindingBook } from '../../../../src/ingest/finding-book.ts';
import { judgeHistory } from '../../../../src/ingest/history/judge-history.ts';
import { overlapFinding } from '../../../../src/ingest/history/overlaps.ts';
import { createOwnPrints } from '../../../../src/ingest/history/own-prints.ts';
import type { PastBatch } from '../../../../src/store/rows/fingerprints.ts';
import { NOW_MS, type Paid, segmentsOf } from './prints.ts';

export const HISTORY_DAYS = 25;

/** What other batches, and the account's own addresses, show of rows. */
export async function judged(
  rows: readonly Paid[],
  others: readonly PastBatch[] = [],
  ownAddresses: readonly string[] = [],
): Promise<Finding[]> {
  const segments = segmentsOf(rows);
  const own = createOwnPrints({ prints: () => segments, count: rows.length });
  const book = createFindingBook();
  const history = { others, ownAddresses, payAtMs: NOW_MS, historyDays: HISTORY_DAYS };
  const overlaps = await judgeHistory(own, history, book);
  return [...book.findings(), ...overlapFinding(overlaps, rows.length)];
}

/** `CODE count` of each finding, in the order of the codes. */
export const codesOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ code, count }) => `${code} ${count}`).sort();

/** The rows that a finding names, each with what is said of it. */
export const examplesOf = (findings: readonly Finding[], code: Finding['code']): string[] =>
  (findings.find((finding) => finding.code === code)?.examples ?? []).map(
    ({ row, detail }) => `${row}: ${detail}`,
  );
