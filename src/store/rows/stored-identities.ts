import { IDENTITY_WORDS, identitiesOf } from '../../domain/payees/identity.ts';
import { PART, PRINT_WORDS, printSpaceOf } from '../../domain/plan/row-print.ts';
import { type ChunkRow, unpackRows } from '../../domain/rows/row.ts';
import type { Db } from '../database/db.ts';
import { wordsOf } from './words-of.ts';

/** Fingerprints of a chunk as they are stored. */
export type StoredPrints = Readonly<{
  chunk: number;
  currency: string;
  prints: Uint8Array;
  identities: Uint8Array | null;
}>;

/**
 * The identities of the rows of some chunks, by chunk: those chunks alone that have any. Those of chunks that an older version
 * wrote come from their rows.
 */
export async function storedIdentities(
  db: Db,
  ingestId: string,
  page: readonly StoredPrints[],
): Promise<ReadonlyMap<number, Int32Array>> {
  const found = new Map<number, Int32Array>();
  const rows = await rowsWithout(db, ingestId, page);
  for (const { chunk, currency, prints, identities } of page) {
    const words =
      identities === null ? fromRows(currency, prints, rows.get(chunk) ?? []) : wordsOf(identities);
    if (words.length > 0) found.set(chunk, words);
  }
  return found;
}

/** The rows of chunks whose identities were not stored; none of those that were pruned. */
async function rowsWithout(
  db: Db,
  ingestId: string,
  page: readonly StoredPrints[],
): Promise<ReadonlyMap<number, readonly ChunkRow[]>> {
  const chunks = page.flatMap(({ chunk, identities }) => (identities === null ? [chunk] : []));
  if (chunks.length === 0) return new Map();
  const staged = await db
    .selectFrom('staged_chunk')
    .select(['chunk', 'rows'])
    .where('ingest_id', '=', ingestId)
    .where('chunk', 'in', chunks)
    .where('rows', '!=', '')
    .execute();
  return new Map(staged.map(({ chunk, rows }) => [chunk, unpackRows(rows)]));
}

function fromRows(currency: string, blob: Uint8Array, rows: readonly ChunkRow[]): Int32Array {
  const identities = identitiesOf(printSpaceOf(currency), rows);
  if (identities.length === 0) return identities;
  const places = new Map(rows.map(({ row }, i) => [row, i * IDENTITY_WORDS]));
  const prints = wordsOf(blob);
  const words = new Int32Array((prints.length / PRINT_WORDS) * IDENTITY_WORDS);
  for (let i = 0, at = PART.number; at < prints.length; i++, at += PRINT_WORDS) {
    const place = places.get(prints[at] ?? 0);
    if (place === undefined) continue;
    words.set(identities.subarray(place, place + IDENTITY_WORDS), i * IDENTITY_WORDS);
  }
  return words;
}
