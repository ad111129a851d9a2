import { PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { PastBatch } from '../../store/rows/fingerprints.ts';
import type { PastSegment } from '../../store/rows/paid-fingerprints.ts';
import { createFingerprintSpaces } from '../fingerprint-spaces.ts';
import { withPauses } from './with-pauses.ts';
import type { PaymentHistory, HistoryComparison, PastBatchSummary } from './history-comparison.ts';
import { isOverlap } from './overlaps.ts';
import { createPastRowSorter } from './past-row-sorter.ts';
import type { Recipients } from './recipients.ts';
import type { RepeatMatcher } from './repeats.ts';

const DAY_MS = 86_400_000;

/**
 * Compares the rows with all other batches. It reads the rows of the batch again whenever the
 * candidates fill their memory limit.
 */
export async function compareWithPastBatches(
  comparison: HistoryComparison,
  history: PaymentHistory,
): Promise<void> {
  const { recipients } = comparison;
  if (recipients === undefined) return;
  const compareSegment = createSegmentComparer(comparison, recipients);
  for (const batch of history.others) {
    const rows = await compareBatch(batch, { compareSegment, history, comparison });
    comparison.repeats.end({ batchId: batch.batchId, source: sourceOf(batch), rows });
    if (!comparison.repeats.isFull()) continue;
    const matcher = comparison.repeats.matcher();
    await comparison.own.each(matcher.add);
    addRepeatFindings(comparison, matcher);
  }
}

const sourceOf = ({ batchId, payAtMs }: PastBatch): string =>
  `batch ${batchId} of ${new Date(payAtMs).toISOString().slice(0, 10)}`;

type BatchComparison = Readonly<{
  compareSegment: CompareSegment;
  comparison: HistoryComparison;
  history: PaymentHistory;
}>;

/** Compares one other batch. Returns its number of compared rows. */
async function compareBatch(
  batch: PastBatch,
  { compareSegment, comparison: { own, lookAlikes, payeeChanges }, history }: BatchComparison,
): Promise<number> {
  const source = sourceOf(batch);
  const isNear = Math.abs(batch.payAtMs - history.payAtMs) <= history.historyDays * DAY_MS;
  let rows = 0;
  const segments = batch.segments({ identities: payeeChanges.isNeeded() });
  for await (const segment of withPauses(segments, history.signal)) {
    payeeChanges.take(segment, batch);
    compareSegment(segment, { source, isNear });
    rows += segment.prints.length / PRINT_WORDS;
    if (lookAlikes.isFull()) await own.each(lookAlikes.comparer());
  }
  return rows;
}

/** `isNear`: whether the other batch pays within the days in which a payment may be a repeat. */
type CompareSegment = (
  segment: PastSegment,
  batch: Readonly<{ source: string; isNear: boolean }>,
) => void;

function createSegmentComparer(
  { lookAlikes, repeats }: HistoryComparison,
  recipients: Recipients,
): CompareSegment {
  const spaceOf = createFingerprintSpaces();
  const sort = createPastRowSorter(recipients);
  return ({ prints, currency, sent }, { source, isNear }) => {
    const space = spaceOf(currency);
    const { repeats: near, repeatCount, others, otherCount } = sort({ prints, space, sent });
    const otherRows = { prints, space, positions: others, count: otherCount };
    lookAlikes.takeSelection(otherRows, (row) => ({ source, row }));
    const taken = isNear ? repeatCount : 0;
    for (let i = 0; i < taken; i++) repeats.take(prints, near[i] ?? 0);
  };
}

/**
 * Adds the findings about rows in common with other batches. A batch with many common rows becomes
 * an overlap instead of one finding for each row.
 */
export function addRepeatFindings(
  { own, findings, repeated, overlaps }: HistoryComparison,
  matcher: RepeatMatcher<PastBatchSummary>,
): void {
  for (const { batch, shared, each } of matcher.results()) {
    const { batchId, source, rows } = batch;
    const overlap = { batchId, source, shared, isSame: shared === own.count && shared === rows };
    if (isOverlap(overlap, own.count)) {
      overlaps.push(overlap);
      continue;
    }
    each(({ index, row, otherRow }) => {
      if (repeated[index] === 1) return;
      repeated[index] = 1;
      const detail = `also row ${otherRow} of ${source}`;
      findings.add('DUPLICATE_IN_HISTORY', { row, detail, earlier: { batchId } });
    });
  }
}
