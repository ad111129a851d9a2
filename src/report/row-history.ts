import type { BatchRecord } from '../store/batches/types.ts';
import { isUnpaid, standingOf } from '../domain/lineage/lineage.ts';
import type { DoublePayment } from '../domain/report/report.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import type { ChunkRecord } from '../store/batches/chunks.ts';
import { type GenerationRow, inclusionOf, type LineageStore } from './lineage-rows.ts';
import { ownRowPages } from './report-rows.ts';

type Histories = ReadonlyMap<RowNumber, readonly GenerationRow[]>;

/** What each batch of a lineage says of some rows, the oldest first; batches that do not hold a row are left out. */
export async function historiesOf(
  store: LineageStore,
  line: readonly BatchRecord[],
  rows: readonly RowNumber[],
): Promise<Histories> {
  const wanted = new Set(rows);
  const histories = new Map(rows.map((row) => [row, [] as GenerationRow[]]));
  for (const batch of line) {
    const chunks = await store.chunks.list(batch.batchId);
    const near = chunks.filter((chunk) => rows.some((row) => isNear(chunk, row)));
    const byNumber = new Map(near.map((chunk) => [chunk.chunk, chunk]));
    for await (const page of near.length === 0 ? [] : ownRowPages(store, batch, near)) {
      for (const own of page) {
        if (own.refused || !wanted.has(own.row)) continue;
        histories.get(own.row)?.push(inclusionOf(batch, own, byNumber));
      }
    }
  }
  return histories;
}

const isNear = ({ firstRow, lastRow }: ChunkRecord, row: RowNumber): boolean =>
  firstRow <= row && row <= lastRow;

/** The rows of a lineage that were paid more than once, or may have been: by two batches, or by two mass payouts of one. */
export async function readDoublePayments(
  store: LineageStore,
  line: readonly BatchRecord[],
): Promise<DoublePayment[]> {
  const within = await Promise.all(line.map((batch) => inTwoPayouts(store, batch)));
  return [...within.flat(), ...(await inTwoBatches(store, line))];
}

/** Each row of a chunk for which the service showed more than one mass payout. */
async function inTwoPayouts(
  store: LineageStore,
  { batchId, ingestId }: BatchRecord,
): Promise<DoublePayment[]> {
  const twice: DoublePayment[] = [];
  for (const one of await store.chunks.withOtherPayouts(batchId)) {
    const verdicts = await store.settlements.ofChunk(batchId, one.chunk);
    const massPayouts = [one.massPayoutId ?? '', ...one.otherPayouts];
    for (const { row } of await store.staging.rows(ingestId ?? '', one.chunk)) {
      const outcome = verdicts.get(row)?.outcome ?? one.restOutcome;
      twice.push({ row, isCertain: false, batches: [{ batchId, outcome }], massPayouts });
    }
  }
  return twice;
}

/**
 * Only rows for which a resend was barred can be such, so that a look costs next to nothing where there are none.
 */
async function inTwoBatches(
  store: LineageStore,
  line: readonly BatchRecord[],
): Promise<DoublePayment[]> {
  const rows = new Set<RowNumber>();
  for (const { batchId } of line.slice(1)) {
    for (const bar of await store.chunks.bars(batchId)) {
      for (const row of bar.rows) rows.add(row);
    }
  }
  if (rows.size === 0) return [];
  const histories = await historiesOf(store, line, [...rows]);
  return [...histories].flatMap(([row, history]) => doublePayment(row, history));
}

function doublePayment(row: RowNumber, history: readonly GenerationRow[]): DoublePayment[] {
  const standing = standingOf(history);
  if (standing !== 'PAID_TWICE' && standing !== 'MAYBE_TWICE') return [];
  const batches = history
    .filter((each) => !isUnpaid(each))
    .map(({ batchId, outcome }) => ({ batchId, outcome }));
  return [{ row, isCertain: standing === 'PAID_TWICE', batches }];
}
