import type { BatchRecord } from '../store/batches/types.ts';
import { type Inclusion, isEndOfChunk } from '../domain/lineage/lineage.ts';
import type { ReportRow } from '../domain/report/report.ts';
import type { ChunkRecord } from '../store/batches/chunks.ts';
import type { Store } from '../store/index.ts';
import { ownRowPages } from './report-rows.ts';

export type LineageStore = Store;

/** What one batch of a lineage says of a row that it holds. */
export type GenerationRow = Inclusion & Readonly<{ batchId: string; own: ReportRow }>;

/** A row and what every batch of its lineage that holds it says, the oldest first. Refused rows are in no batch. */
export type LineageRow = Readonly<{ row: ReportRow; history: readonly GenerationRow[] }>;

/** Every row of a lineage in the order of the file. Memory holds a chunk for each currency and generation. */
export async function* lineageRows(
  store: LineageStore,
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

/** The rows that one batch may have sent. A batch that has no chunks never had a key. */
export async function* generationRows(
  store: LineageStore,
  batch: BatchRecord,
): AsyncGenerator<GenerationRow> {
  const chunks = await store.chunks.list(batch.batchId);
  if (chunks.length === 0) return;
  const byNumber = new Map(chunks.map((chunk) => [chunk.chunk, chunk]));
  for await (const page of ownRowPages(store, batch, chunks)) {
    for (const own of page) if (!own.refused) yield inclusionOf(batch, own, byNumber);
  }
}

export const inclusionOf = (
  { batchId, generation }: BatchRecord,
  own: ReportRow,
  chunks: ReadonlyMap<number, ChunkRecord>,
): GenerationRow => {
  const chunk = own.chunk === null ? undefined : chunks.get(own.chunk);
  const isEnd = chunk !== undefined && isEndOfChunk(chunk);
  // Whatever the service's records say: a row that the wallet shows paid is not sent again before somebody knows.
  const outcome = own.seenPaid === true ? 'UNKNOWN' : own.outcome;
  return { batchId, generation, outcome, isEnd, own };
};

/** A resend copies its rows; a row that says anything else in another generation is damage that nothing may be paid from. */
function sameRow(first: GenerationRow, history: readonly GenerationRow[]): ReportRow {
  const { row, address, amount, currency } = first.own;
  const isSame = history.every(
    ({ own }) => own.address === address && own.amount === amount && own.currency === currency,
  );
  if (isSame) return first.own;
  throw new Error(`row ${row} is not the same in all batches of ${first.batchId}`);
}
