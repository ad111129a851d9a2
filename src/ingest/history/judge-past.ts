import { PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { PastBatch } from '../../store/rows/fingerprints.ts';
import type { PastSegment } from '../../store/rows/paid-fingerprints.ts';
import { createPrintSpaces } from '../print-spaces.ts';
import { inTurns } from './in-turns.ts';
import type { History, Judging, PastRows } from './judging.ts';
import { isOverlap } from './overlaps.ts';
import { createPastSorter } from './past-sorter.ts';
import type { Payees } from './payees.ts';
import type { Matcher } from './repeats.ts';

const DAY_MS = 86_400_000;

/** Takes down what other batches show of the rows. Reads the rows again when there is much of it. */
export async function judgePast(judging: Judging, history: History): Promise<void> {
  const { payees } = judging;
  if (payees === undefined) return;
  const judgeSegment = createSegmentJudge(judging, payees);
  for (const batch of history.others) {
    const rows = await judgeBatch(batch, { judgeSegment, history, judging });
    judging.repeats.end({ source: sourceOf(batch), rows });
    if (!judging.repeats.isFull()) continue;
    const matcher = judging.repeats.matcher();
    await judging.own.each(matcher.look);
    settle(judging, matcher);
  }
}

const sourceOf = ({ batchId, payAtMs }: PastBatch): string =>
  `batch ${batchId} of ${new Date(payAtMs).toISOString().slice(0, 10)}`;

type Judges = Readonly<{ judgeSegment: SegmentJudge; judging: Judging; history: History }>;

/** Gives how many rows of the batch count. */
async function judgeBatch(
  batch: PastBatch,
  { judgeSegment, judging: { own, lookAlikes }, history }: Judges,
): Promise<number> {
  const source = sourceOf(batch);
  const isNear = Math.abs(batch.payAtMs - history.payAtMs) <= history.historyDays * DAY_MS;
  let rows = 0;
  for await (const segment of inTurns(batch.segments(), history.signal)) {
    judgeSegment(segment, { source, isNear });
    rows += segment.prints.length / PRINT_WORDS;
    if (lookAlikes.isFull()) await own.each(lookAlikes.comparer());
  }
  return rows;
}

/** `isNear`: whether the batch of the segment pays within the days that count as one payment made twice. */
type SegmentJudge = (
  segment: PastSegment,
  batch: Readonly<{ source: string; isNear: boolean }>,
) => void;

function createSegmentJudge({ lookAlikes, repeats }: Judging, payees: Payees): SegmentJudge {
  const spaceOf = createPrintSpaces();
  const sort = createPastSorter(payees);
  return ({ prints, currency, sent }, { source, isNear }) => {
    const space = spaceOf(currency);
    const { repeats: near, repeatCount, strangers, strangerCount } = sort({ prints, space, sent });
    const some = { prints, space, places: strangers, count: strangerCount };
    lookAlikes.takeSome(some, (row) => ({ source, row }));
    const taken = isNear ? repeatCount : 0;
    for (let i = 0; i < taken; i++) repeats.take(prints, near[i] ?? 0);
  };
}

/** Notes what batches have in common with this one: each row, or the whole batch where it is a large part. */
export function settle(
  { own, findings, repeated, overlaps }: Judging,
  matcher: Matcher<PastRows>,
): void {
  for (const { batch, shared, each } of matcher.results()) {
    const { source, rows } = batch;
    const overlap = { source, shared, isSame: shared === own.count && shared === rows };
    if (isOverlap(overlap, own.count)) {
      overlaps.push(overlap);
      continue;
    }
    each(({ index, row, otherRow }) => {
      if (repeated[index] === 1) return;
      repeated[index] = 1;
      findings.note('DUPLICATE_IN_HISTORY', { row, detail: `also row ${otherRow} of ${source}` });
    });
  }
}
