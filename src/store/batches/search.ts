import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/db.ts';
import { type ChunkRow, type RowNumber, unpackRows } from '../../domain/rows/row.ts';

/** The kinds of a word, in the order of the results. */
export type FoundAs =
  | 'idempotency key'
  | 'external id'
  | 'mass payout'
  | 'trace id'
  | 'withdrawal'
  | 'transaction hash'
  | 'row tag';

/** A batch whose file was read. `chunks`: how many chunks its import has. */
export type SearchedBatch = Readonly<{ batchId: string; ingestId: string; chunks: number }>;

/** One place in the store where a word was found: a chunk, or a row. */
export type Find = Readonly<{
  as: FoundAs;
  batchId: string;
  chunk: number | null;
  row: RowNumber | null;
}>;

/** Results of one kind. A word with more results identifies nothing. */
export const FINDS_MAX = 100;

/** A row tag as it stands in comments: the batch's code and the row. */
const ROW_TAG = /^#?([0-9a-hjkmnp-tv-z]{8})-([1-9]\d{0,8})$/;

/**
 * Finds chunks and rows by the names that the service, a wallet or a log gives them. Words are compared letter for
 * letter.
 */
export const createSearchStore = (db: Db) => ({
  async byWord(word: string): Promise<Find[]> {
    const finds: Find[] = [];
    for (const find of [inChunks, inAttempts, inLooks, inVerdicts, inTransactions, inTags]) {
      finds.push(...(await find(db, word)));
    }
    return finds;
  },

  /** The batches whose files were read, the newest first. `account`: null: of all accounts. */
  batches: (account: string | null): Promise<SearchedBatch[]> => batchesOf(db, account),

  /** The rows of an import with a reference, letter for letter. Removed rows have none. */
  byReference: (batch: SearchedBatch, reference: string): Promise<RowNumber[]> =>
    byReference(db, batch, reference),

  /** The first rows of an import whose payee's name has this text, in either case; at most `max`. Removed rows have none. */
  byName: (batch: SearchedBatch, text: string, max: number): Promise<RowNumber[]> =>
    byName(db, batch, { text, max }),
});

async function batchesOf(db: Db, account: string | null): Promise<SearchedBatch[]> {
  const all = db
    .selectFrom('batch')
    .innerJoin('staged_chunk', 'staged_chunk.ingest_id', 'batch.ingest_id')
    .select(({ fn }) => [
      'batch.batch_id as batchId',
      'staged_chunk.ingest_id as ingestId',
      fn.max('staged_chunk.chunk').as('last'),
    ])
    .groupBy(['batch.batch_id', 'staged_chunk.ingest_id', 'batch.submitted_at_ms'])
    .orderBy('batch.submitted_at_ms', 'desc')
    .orderBy('batch.batch_id');
  const chosen = account === null ? all : all.where('batch.account', '=', account);
  const batches = await chosen.execute();
  return batches.map(({ batchId, ingestId, last }) => ({ batchId, ingestId, chunks: last + 1 }));
}

/** Chunks whose rows one statement searches: no other work waits for longer than that takes. */
const CHUNKS_PER_SEARCH = 100;

/** The database leaves out most chunks: on SQLite 0.1 s of processor time for a million rows. */
async function byReference(db: Db, batch: SearchedBatch, reference: string): Promise<RowNumber[]> {
  const found: RowNumber[] = [];
  // Rows are packed as JSON, so the cell of a reference is its JSON.
  const pattern = `%${escaped(JSON.stringify(reference))}%`;
  for await (const rows of rowsLike(db, batch, sql`rows like ${pattern} escape '\\'`)) {
    found.push(...rows.filter((row) => row.reference === reference).map(({ row }) => row));
  }
  return found.toSorted((a, b) => a - b);
}

/** Databases lower the case of ASCII alike, so any other character matches until it is compared here. */
async function byName(
  db: Db,
  batch: SearchedBatch,
  { text, max }: Readonly<{ text: string; max: number }>,
): Promise<RowNumber[]> {
  const wanted = text.toLowerCase();
  const inJson = JSON.stringify(wanted).slice(1, -1);
  const pattern = `%${escaped(inJson).replaceAll(/[^ -~]/gu, '_')}%`;
  const found: RowNumber[] = [];
  for await (const rows of rowsLike(db, batch, sql`lower(rows) like ${pattern} escape '\\'`)) {
    const named = rows.filter(({ name }) => name.toLowerCase().includes(wanted));
    found.push(...named.map(({ row }) => row));
    if (found.length >= max) break;
  }
  return found.slice(0, max).toSorted((a, b) => a - b);
}

/** A text in which no character is special in a pattern. */
const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** The rows of the chunks that fulfil a condition, some chunks at a time. */
async function* rowsLike(
  db: Db,
  { ingestId, chunks }: SearchedBatch,
  condition: RawBuilder<unknown>,
): AsyncGenerator<ChunkRow[]> {
  for (let from = 0; from < chunks; from += CHUNKS_PER_SEARCH) {
    const page = await db
      .selectFrom('staged_chunk')
      .select('rows')
      .where('ingest_id', '=', ingestId)
      .where('chunk', '>=', from)
      .where('chunk', '<', from + CHUNKS_PER_SEARCH)
      .where(sql<boolean>`${condition}`)
      .execute();
    for (const chunk of page) yield unpackRows(chunk.rows);
  }
}

async function inChunks(db: Db, word: string): Promise<Find[]> {
  const chunks = await db
    .selectFrom('chunk')
    .select(['batch_id', 'chunk', 'idempotency_key', 'external_id'])
    .where((is) =>
      is.or([
        is('idempotency_key', '=', word),
        is('external_id', '=', word),
        is('mass_payout_id', '=', word),
      ]),
    )
    .limit(FINDS_MAX)
    .execute();
  return chunks.map((one) => chunkFind(chunkWord(one, word), one));
}

function chunkWord(
  chunk: Readonly<{ idempotency_key: string; external_id: string }>,
  word: string,
): FoundAs {
  if (chunk.idempotency_key === word) return 'idempotency key';
  return chunk.external_id === word ? 'external id' : 'mass payout';
}

async function inAttempts(db: Db, word: string): Promise<Find[]> {
  const attempts = await db
    .selectFrom('attempt')
    .innerJoin('chunk', 'chunk.idempotency_key', 'attempt.idempotency_key')
    .select(['chunk.batch_id', 'chunk.chunk'])
    .distinct()
    .where('attempt.trace_id', '=', word)
    .limit(FINDS_MAX)
    .execute();
  return attempts.map((one) => chunkFind('trace id', one));
}

/** Withdrawals of mass payouts that are still open. */
async function inLooks(db: Db, word: string): Promise<Find[]> {
  const looks = await db
    .selectFrom('withdrawal_lookup')
    .select(['batch_id', 'chunk'])
    .where('withdrawal_id', '=', word)
    .limit(FINDS_MAX)
    .execute();
  return looks.map((one) => chunkFind('withdrawal', one));
}

async function inVerdicts(db: Db, word: string): Promise<Find[]> {
  const rows = await db
    .selectFrom('row_outcome')
    .select(['batch_id', 'row', 'withdrawal_id'])
    .where((is) => is.or([is('withdrawal_id', '=', word), is('transaction_hash', '=', word)]))
    .limit(FINDS_MAX)
    .execute();
  return rows.map((one) =>
    rowFind(one.withdrawal_id === word ? 'withdrawal' : 'transaction hash', one),
  );
}

/** Hashes that only a wallet's transaction list has. */
async function inTransactions(db: Db, word: string): Promise<Find[]> {
  const rows = await db
    .selectFrom('row_transaction')
    .select(['batch_id', 'row'])
    .distinct()
    .where('transaction_hash', '=', word)
    .limit(FINDS_MAX)
    .execute();
  return rows.map((one) => rowFind('transaction hash', one));
}

async function inTags(db: Db, word: string): Promise<Find[]> {
  const [, code, row] = ROW_TAG.exec(word) ?? [];
  if (code === undefined) return [];
  const batches = await db
    .selectFrom('batch')
    .select('batch_id')
    .where('code', '=', code)
    .execute();
  return batches.map((batch) => rowFind('row tag', { ...batch, row: Number(row) }));
}

type AtChunk = Readonly<{ batch_id: string; chunk: number }>;
type AtRow = Readonly<{ batch_id: string; row: number }>;

const chunkFind = (as: FoundAs, { batch_id: batchId, chunk }: AtChunk): Find => ({
  as,
  batchId,
  chunk,
  row: null,
});

const rowFind = (as: FoundAs, { batch_id: batchId, row }: AtRow): Find => ({
  as,
  batchId,
  chunk: null,
  row,
});
