import type { BatchRecord } from '../../store/batches/types.ts';
import { compareAmounts, parseAmount } from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import { currenciesOfRules, otherNames } from '../../domain/plan/currency-names.ts';
import { FINDINGS, type Finding, type FindingCode } from '../../domain/plan/finding.ts';
import { findingsOf } from '../../domain/plan/judge-file.ts';
import type { HouseRules, Money } from '../../domain/plan/rules.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import { createFindingBook } from '../finding-book.ts';
import { judgeHistory } from './judge-history.ts';
import type { History } from './judging.ts';
import { type Overlap, overlapFinding } from './overlaps.ts';
import { createOwnPrints, type PrintSegments } from './own-prints.ts';
import { type RowsAt, withRowsInWords } from './rows-in-words.ts';

/** The input of a plan's findings. */
export type PlanGrounds = Readonly<{
  summary: IngestSummary;
  skipInvalid: boolean;
  /** Reads the prints of the accepted rows: it is called several times. */
  prints: () => PrintSegments;
  /** The accepted rows that findings name: some dozens. */
  rowsAt: RowsAt;
  rules: Pick<HouseRules, 'approval' | 'fees' | 'historyDays' | 'limits'>;
  stopLoss: readonly string[];
}> &
  Omit<History, 'historyDays'>;

/** An earlier batch that pays the same rows. */
export type EarlierBatch = Pick<BatchRecord, 'batchId' | 'endState'>;

/** All findings of a plan, given another batch that pays the same rows, if there is one. */
export type PlanFindings = (earlier: EarlierBatch | undefined) => Finding[];

/**
 * Every fact that a person must see before money moves: those of the file by itself, and those from earlier batches.
 * The same grounds give the same findings, in the order in which they are declared. Throws INTERNAL when the
 * fingerprints are not those of the accepted rows, the reason of the signal when that is aborted, and the errors of
 * `rowsAt`.
 */
export async function findingsOfPlan(grounds: PlanGrounds): Promise<PlanFindings> {
  const { summary, skipInvalid, rules, signal } = grounds;
  const rows = summary.rows - summary.refusedRows;
  const own = createOwnPrints({ prints: grounds.prints, count: rows, signal });
  const book = createFindingBook();
  noteBatchLimits(summary, rules.limits.batch, book.note);
  const overlaps = await judgeHistory(own, { ...grounds, historyDays: rules.historyDays }, book);
  const noted = [...findingsOf(summary, skipInvalid), ...book.findings()];
  const findings = await withRowsInWords(noted, grounds.rowsAt);
  const names = otherNames(summary.currencies, currenciesOfRules(rules, grounds.stopLoss));
  return (earlier) =>
    inOrder([
      ...findings,
      ...names,
      ...overlapFinding(earlier === undefined ? overlaps : overlaps.filter(isOther), rows),
      ...(earlier === undefined ? [] : [sameFileAgain(earlier, rows)]),
    ]);
}

/** SAME_FILE_AGAIN covers a batch with the same rows already. */
const isOther = ({ isSame }: Overlap): boolean => !isSame;

const sameFileAgain = ({ batchId, endState }: EarlierBatch, count: number): Finding => {
  const detail = `batch ${batchId} (${endState ?? 'not ended yet'})`;
  return { code: 'SAME_FILE_AGAIN', count, examples: [{ row: 0, detail }] };
};

function noteBatchLimits(
  { currencies }: IngestSummary,
  limits: readonly Money[],
  note: ReturnType<typeof createFindingBook>['note'],
): void {
  for (const { currency, rows, total } of currencies) {
    const broken = limits.find(
      (limit) =>
        limit.currency === currency &&
        compareAmounts(parseSignedAmount(total), parseAmount(limit.amount)) > 0,
    );
    if (broken === undefined) continue;
    const detail = `${total} ${currency}; the limit is ${broken.amount}`;
    note('LIMIT_BATCH', { row: 0, detail }, rows);
  }
}

const ORDER = Object.keys(FINDINGS) as FindingCode[];

const inOrder = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((a, b) => ORDER.indexOf(a.code) - ORDER.indexOf(b.code));
