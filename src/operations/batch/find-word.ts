import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { shownState } from '../../report/batch-view.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Find, FoundAs } from '../../store/batches/search.ts';
import type { Store } from '../../store/index.ts';
import type { Sources } from './types.ts';

/** A search result with the facts of its chunk that people need. */
export type FoundPlace = Readonly<{
  as: FoundAs;
  batchId: string;
  row: RowNumber | null;
  chunk: ReturnType<typeof shownChunk> | null;
}>;

/**
 * Finds the batches, chunks and rows of a key, an id, a trace id, a hash or a row tag, in the store alone. @throws
 * WORD_NOT_FOUND
 */
export async function findWord({ store }: Sources, word: string): Promise<FoundPlace[]> {
  const finds = await placesOf(store, await store.search.byWord(word));
  if (finds.length === 0) throw new BursarError('WORD_NOT_FOUND', { word });
  return finds;
}

/** The places of search results, one for each way in which a batch, chunk or row matched. */
async function placesOf({ chunks }: Store, finds: readonly Find[]): Promise<FoundPlace[]> {
  const batches = new Map<string, readonly ChunkRecord[]>();
  const places: FoundPlace[] = [];
  for (const { as, batchId, chunk, row } of finds) {
    const known = batches.get(batchId) ?? (await chunks.list(batchId));
    batches.set(batchId, known);
    const found = known.find((one) => one.chunk === chunk) ?? null;
    places.push({ as, batchId, row, chunk: found && shownChunk(found) });
  }
  return places;
}

function shownChunk(record: ChunkRecord) {
  const { chunk, firstRow, lastRow, total, currency } = record;
  const { idempotencyKey, massPayoutId, externalId } = record;
  const ids = { idempotencyKey, externalId, massPayoutId };
  return { chunk, firstRow, lastRow, total, currency, ...ids, state: shownState(record) };
}
