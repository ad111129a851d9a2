import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { shownState } from '../../report/batch-view.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { type Find, type FoundAs, FINDS_MAX } from '../../store/batches/search.ts';
import type { Store } from '../../store/index.ts';
import { type FoundPayment, readPayments } from './found-payments.ts';
import { findRows, type RowFind, type RowFoundAs } from './find-rows.ts';
import type { Sources } from './types.ts';

/** A search result with the facts of its chunk that people need. */
type Place = Readonly<{
  as: FoundAs | RowFoundAs;
  batchId: string;
  row: RowNumber | null;
  chunk: ReturnType<typeof shownChunk> | null;
}>;

/** `payment`: that of the row; null without a row, and where its batch was pruned. */
export type FoundPlace = Place & Readonly<{ payment: FoundPayment | null }>;

/** `more`: whether there are more places than these. */
export type FoundPlaces = Readonly<{ finds: readonly FoundPlace[]; more: boolean }>;

/**
 * Finds what a word stands for, in the store alone: an id, a key, a hash or a row tag; and the rows with this reference,
 * address or payee name, those of the newest batch first. At most 100 of each kind. @throws WORD_NOT_FOUND
 */
export async function findWord(sources: Sources, word: string): Promise<FoundPlaces> {
  const { store } = sources;
  const named = await store.search.byWord(word);
  const rows = await findRows(sources, word, FINDS_MAX);
  const places = await placesOf(store, [...named, ...rows.finds]);
  if (places.length === 0) throw new BursarError('WORD_NOT_FOUND', { word });
  return { finds: await withPayments(sources, places), more: rows.more };
}

/** The places of search results, one for each way in which a batch, chunk or row matched. */
async function placesOf({ chunks }: Store, finds: readonly (Find | RowFind)[]): Promise<Place[]> {
  const batches = new Map<string, readonly ChunkRecord[]>();
  const places: Place[] = [];
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

async function withPayments(sources: Sources, places: readonly Place[]): Promise<FoundPlace[]> {
  const payments = new Map<string, ReadonlyMap<RowNumber, FoundPayment>>();
  for (const { batchId } of places) {
    if (payments.has(batchId)) continue;
    const rows = places.filter((one) => one.batchId === batchId).map(({ row }) => row);
    const numbers = rows.filter((row) => row !== null);
    payments.set(batchId, await readPayments(sources, batchId, numbers));
  }
  return places.map((place) => {
    const { batchId, row } = place;
    const payment = row === null ? undefined : payments.get(batchId)?.get(row);
    return { ...place, payment: payment ?? null };
  });
}
