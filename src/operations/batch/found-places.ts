import type { RowNumber } from '../../domain/rows/row.ts';
import { shownState } from '../../report/batch-view.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Find, FoundAs } from '../../store/batches/search.ts';
import type { Store } from '../../store/index.ts';

/** A search result with the facts of its chunk that people need. */
export type FoundPlace = Readonly<{
  as: FoundAs;
  batchId: string;
  row: RowNumber | null;
  chunk: Readonly<
    Pick<
      ChunkRecord,
      'chunk' | 'firstRow' | 'lastRow' | 'total' | 'currency' | 'idempotencyKey' | 'massPayoutId'
    > & { externalId: string; state: string }
  > | null;
}>;

/** The places of search results, one for each way in which a batch, chunk or row matched. */
export async function placesOf({ chunks }: Store, finds: readonly Find[]): Promise<FoundPlace[]> {
  const batches = new Map<string, readonly ChunkRecord[]>();
  const places: FoundPlace[] = [];
  for (const { as, batchId, chunk, row } of finds) {
    const known = batches.get(batchId) ?? (await chunks.list(batchId));
    batches.set(batchId, known);
    places.push({ as, batchId, row, chunk: shownChunk(known.find((one) => one.chunk === chunk)) });
  }
  return places;
}

function shownChunk(record: ChunkRecord | undefined): FoundPlace['chunk'] {
  if (record === undefined) return null;
  const { chunk, firstRow, lastRow, total, currency } = record;
  const { idempotencyKey, massPayoutId, externalId } = record;
  const ids = { idempotencyKey, externalId, massPayoutId };
  return { chunk, firstRow, lastRow, total, currency, ...ids, state: shownState(record) };
}
