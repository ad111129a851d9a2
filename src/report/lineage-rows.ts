import type { BatchRecord } from '../store/batches/types.ts';
import { type Inclusion, isEndOfChunk } from '../domain/lineage/lineage.ts';
import type { ReportRow } from '../domain/report/report.ts';
import type { ChunkRecord } from '../store/batches/chunks.ts';
import { ownRowPages } from './report-rows.ts';
import type { StoreParts } from '../store/index.ts';

/** A row in one batch of its lineage. */
export type GenerationRow = Inclusion & Readonly<{ batchId: string; own: ReportRow }>;

/** A row in all batches of its lineage that hold it, the oldest first. Refused rows are in none. */
export type LineageRow = Readonly<{ row: ReportRow; history: readonly GenerationRow[] }>;

/**
 * Reads every row of a lineage in file order. Memory holds one chunk of each currency and
 * generation.
 */
export async function* lineageRows(
  store: StoreParts,
  line: readonly BatchRecord[],
): AsyncGenerator<LineageRow> {
  const heads: Head[] = [];
  for (const batch of line) {
    const head = { source: generationRows(store, batch), next: undefined };
    if (await advance(head)) heads.push(head);
  }
  while (heads.length > 0) {
    const lowest = Math.min(...heads.map(rowOf));
    const history: GenerationRow[] = [];
    for (const head of heads.filter((each) => rowOf(each) === lowest)) {
      if (head.next !== undefined) history.push(head.next);
      if (!(await advance(head))) heads.splice(heads.indexOf(head), 1);
    }
    const [first] = history;
    if (first !== undefined) yield { row: sameRow(first, history), history };
  }
}

type Head = { source: AsyncGenerator<GenerationRow>; next: GenerationRow | undefined };

const rowOf = ({ next }: Head): number => next?.own.row ?? Number.POSITIVE_INFINITY;

async function advance(head: Head): Promise<boolean> {
  const { value, done } = await head.source.next();
  head.next = done === true ? undefined : value;
  return done !== true;
}

/** Reads the rows that one batch may have sent. A batch without chunks has sent none. */
export async function* generationRows(
  store: StoreParts,
  batch: BatchRecord,
): AsyncGenerator<GenerationRow> {
  const chunks = await store.chunks.list(batch.batchId);
  if (chunks.length === 0) return;
  const byNumber = new Map(chunks.map((chunk) => [chunk.chunk, chunk]));
  for await (const page of ownRowPages(store, batch, chunks)) {
    for (const own of page) if (!own.refused) yield inclusionOf(batch, own, byNumber);
  }
}

/** Returns a row as its lineage counts it. */
export const inclusionOf = (
  { batchId, generation }: BatchRecord,
  own: ReportRow,
  chunks: ReadonlyMap<number, ChunkRecord>,
): GenerationRow => {
  const chunk = own.chunk === null ? undefined : chunks.get(own.chunk);
  const isEnd = chunk !== undefined && isEndOfChunk(chunk);
  // The service says FAILED, and the wallet shows a transaction that pays the row. It may be paid.
  const outcome = own.seenPaid === true ? 'UNKNOWN' : own.outcome;
  return { batchId, generation, outcome, isEnd, own };
};

/**
 * Returns the row when all generations hold the same one. A resend copies its rows.
 * A difference is damage in the store, and nothing may be paid from it.
 * @throws Error when address, amount or currency differ.
 */
function sameRow(first: GenerationRow, history: readonly GenerationRow[]): ReportRow {
  const { row, address, amount, currency } = first.own;
  const isSame = history.every(
    ({ own }) => own.address === address && own.amount === amount && own.currency === currency,
  );
  if (isSame) return first.own;
  throw new Error(`row ${row} is not the same in all batches of ${first.batchId}`);
}
