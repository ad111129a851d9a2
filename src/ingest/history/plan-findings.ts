import type { BatchRecord } from '../../store/batches/types.ts';
import { compareAmounts, parseAmount } from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import { currenciesOfRules, otherNames } from '../../domain/plan/currency-names.ts';
import { FINDINGS, type Finding, type FindingCode } from '../../domain/plan/finding.ts';
import { findingsOf } from '../../domain/plan/judge-file.ts';
import type { HouseRules, Money } from '../../domain/plan/rules.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import { amountText, moneyText } from '../../domain/text/money-text.ts';
import { createFindingCollector, type FindingCollector } from '../finding-collector.ts';
import { compareWithHistory } from './compare-with-history.ts';
import type { ComparedPayments } from './history-comparison.ts';
import { type Overlap, overlapFinding } from './overlaps.ts';
import { createBatchFingerprints, type FingerprintSegments } from './batch-fingerprints.ts';
import { type ReadRowsByNumber, withRowTexts } from './row-texts.ts';

/** The facts from which the findings of a plan follow. */
export type PlanFindingsInput = Readonly<{
  summary: IngestSummary;
  skipInvalid: boolean;
  /** Reads the fingerprints of the accepted rows. It is called several times. */
  prints: () => FingerprintSegments;
  /** Reads the accepted rows that findings name, a few dozen. */
  rowsAt: ReadRowsByNumber;
  rules: HouseRules;
  stopLoss: readonly string[];
}> &
  ComparedPayments;

/** An earlier batch that pays the same rows. */
export type EarlierBatch = Readonly<{ batchId: string; endState: BatchRecord['endState'] }>;

/** Returns all findings of a plan, given an earlier batch with the same rows, if there is one. */
export type PlanFindings = (earlier: EarlierBatch | undefined) => Finding[];

/**
 * Finds everything that a person must see before money moves, in the file and in earlier batches.
 * The same input gives the same findings, in the order of their declaration.
 * @throws INTERNAL when the fingerprints are not those of the accepted rows, the reason of an
 * aborted signal, and the errors of `rowsAt`.
 */
export async function readPlanFindings(input: PlanFindingsInput): Promise<PlanFindings> {
  const { summary, skipInvalid, rules, signal } = input;
  const rows = summary.rows - summary.refusedRows;
  const own = createBatchFingerprints({ prints: input.prints, count: rows, signal });
  const collector = createFindingCollector();
  checkBatchLimits(summary, rules.limits.batch, collector.add);
  const { overlaps, changes } = await compareWithHistory(
    own,
    { ...input, historyDays: rules.historyDays, payeeRules: rules.payees },
    collector,
  );
  const collected = [...findingsOf(summary, skipInvalid), ...collector.findings()];
  const findings = await withRowTexts(collected, input.rowsAt, {
    changes,
    payees: input.payees,
  });
  const names = otherNames(summary.currencies, currenciesOfRules(rules, input.stopLoss));
  return (earlier) =>
    inOrder([
      ...findings,
      ...names,
      ...overlapFinding(earlier === undefined ? overlaps : overlaps.filter(isOther), rows),
      ...(earlier === undefined ? [] : [sameFileAgain(earlier, rows)]),
    ]);
}

/** Excludes a batch with the same rows, which SAME_FILE_AGAIN names already. */
const isOther = ({ isSame }: Overlap): boolean => !isSame;

const sameFileAgain = ({ batchId, endState }: EarlierBatch, count: number): Finding => {
  const detail = `batch ${batchId} (${endState ?? 'not ended yet'})`;
  const earlier = { batchId, endState };
  return { code: 'SAME_FILE_AGAIN', count, examples: [{ row: 0, detail, earlier }] };
};

function checkBatchLimits(
  { currencies }: IngestSummary,
  limits: readonly Money[],
  add: FindingCollector['add'],
): void {
  for (const { currency, rows, total } of currencies) {
    const broken = limits.find(
      (limit) =>
        limit.currency === currency &&
        compareAmounts(parseSignedAmount(total), parseAmount(limit.amount)) > 0,
    );
    if (broken === undefined) continue;
    const limit = amountText(broken.amount, currency);
    const detail = `${moneyText(total, currency)}; the limit is ${limit}`;
    add('LIMIT_BATCH', { row: 0, detail }, rows);
  }
}

const ORDER = Object.keys(FINDINGS) as FindingCode[];

const inOrder = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((a, b) => ORDER.indexOf(a.code) - ORDER.indexOf(b.code));
