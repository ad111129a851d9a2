import type { BatchRecord } from '../store/batches/types.ts';
import { isUnpaid, standingOf } from '../domain/lineage/lineage.ts';
import type { DoublePayment } from '../domain/report/report.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import type { ChunkRecord } from '../store/batches/chunks.ts';
import { type GenerationRow, inclusionOf } from './lineage-rows.ts';
import { ownRowPages } from './report-rows.ts';
import type { StoreParts } from '../store/index.ts';

type RowHistories = ReadonlyMap<RowNumber, readonly GenerationRow[]>;

/** Reads the history of some rows through their lineage, the oldest batch first. */
export async function readRowHistories(
  store: StoreParts,
  line: readonly BatchRecord[],
  rows: readonly RowNumber[],
): Promise<RowHistories> {
  const wanted = new Set(rows);
  const histories = new Map(rows.map((row) => [row, [] as GenerationRow[]]));
  for (const batch of line) {
    const chunks = await store.chunks.list(batch.batchId);
    const candidates = chunks.filter((chunk) => rows.some((row) => mayHoldRow(chunk, row)));
    const byNumber = new Map(candidates.map((chunk) => [chunk.chunk, chunk]));
    for await (const page of candidates.length === 0 ? [] : ownRowPages(store, batch, candidates)) {
      for (const own of page) {
        if (own.refused || !wanted.has(own.row)) continue;
        histories.get(own.row)?.push(inclusionOf(batch, own, byNumber));
      }
    }
  }
  return histories;
}

const mayHoldRow = ({ firstRow, lastRow }: ChunkRecord, row: RowNumber): boolean =>
  firstRow <= row && row <= lastRow;

/**
 * Reads the rows of a lineage that were paid twice, or may have been.
 * Either two batches have paid a row, or two mass payouts of one batch hold it.
 */
export async function readDoublePayments(
  store: StoreParts,
  line: readonly BatchRecord[],
): Promise<DoublePayment[]> {
  const within = await Promise.all(line.map((batch) => inTwoPayouts(store, batch)));
  return [...within.flat(), ...(await inTwoBatches(store, line))];
}

/** Returns each row of the chunks for which the service has more than one mass payout. */
async function inTwoPayouts(
  store: StoreParts,
  { batchId, ingestId }: BatchRecord,
): Promise<DoublePayment[]> {
  const twice: DoublePayment[] = [];
  for (const one of await store.chunks.withOtherPayouts(batchId)) {
    const outcomes = await store.settlements.ofChunk(batchId, one.chunk);
    const massPayouts = [one.massPayoutId ?? '', ...one.otherPayouts];
    for (const { row } of await store.staging.rows(ingestId ?? '', one.chunk)) {
      const outcome = outcomes.get(row)?.outcome ?? one.defaultOutcome;
      twice.push({ row, isCertain: false, batches: [{ batchId, outcome }], massPayouts });
    }
  }
  return twice;
}

/**
 * Returns the rows that two batches have paid, or may have.
 * Only rows with a resend block can be such. Without a block, no row is read.
 */
async function inTwoBatches(
  store: StoreParts,
  line: readonly BatchRecord[],
): Promise<DoublePayment[]> {
  const rows = new Set<RowNumber>();
  for (const { batchId } of line.slice(1)) {
    for (const bar of await store.chunks.resendBlocks(batchId)) {
      for (const row of bar.rows) rows.add(row);
    }
  }
  if (rows.size === 0) return [];
  const histories = await readRowHistories(store, line, [...rows]);
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
