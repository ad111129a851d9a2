import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { createHash, randomUUID } from 'node:crypto';
import type { RecordFacts } from '../../domain/audit/facts.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';
import { type ChunkRow, type Row, type RowNumber, unpackRows } from '../../domain/rows/row.ts';
import type { IngestSummary, StagedChunk, StagingSink } from '../../domain/rows/staging.ts';
import { NAMES } from '../audit/facts.ts';
import {
  fromRefusedRow,
  readReading,
  REFUSED_ROWS_PER_PAGE,
  refusedPage,
  toRefusedRow,
} from './imports.ts';
import { onBatch } from '../audit/audited.ts';

/** Chunks that are committed together: a durable commit costs as much as writing several chunks. */
const CHUNKS_PER_COMMIT = 16;
/** A staged chunk without its rows. */
export type ChunkHead = Omit<StagedChunk, 'rows' | 'prints'>;

/** The rows of a chunk, written by `packRows`, and the SHA-256 of that text in lowercase hex. */
export type StagedRows = Readonly<{ text: string; sha256: string }>;

/** Tables that hold the result of one import. */
const TABLES_OF_READING = ['staged_chunk', 'row_fingerprint', 'refused_row'] as const;

/**
 * Rows between file and payment. Each import of a file has an id of its own, and only one import is ever published. An
 * import that was cut off, or a second one beside it, leaves no visible rows.
 */
export const createStagingStore = ({ db, decide }: Access, nowMs: () => number) => ({
  /** Starts an import of a batch's file; `sink` takes its rows in order, `flush` makes all taken rows durable. */
  begin(batchId: string): { ingestId: string; sink: StagingSink; flush(): Promise<void> } {
    const ingestId = `${batchId}/${randomUUID()}`;
    const writer = createWriter((work) => decide([{ batch: batchId }], work), ingestId);
    return { ingestId, sink: writer, flush: writer.flush };
  },

  /**
   * Publishes an import, unless another one was first. Returns the published one. Removes all other imports of the
   * batch.
   */
  async publish(batchId: string, ingestId: string, summary: IngestSummary): Promise<string> {
    // No other program writes to this import, so it is checked before any writer has to wait.
    const facts = await readReading(db, ingestId);
    const reading = { batchId, ingestId, summary, facts, atMs: nowMs() };
    return decide([{ batch: batchId }], (tx) => publish(tx, reading));
  },

  /** The staged rows as one record of the audit log. */
  facts: (ingestId: string): Promise<RecordFacts> => readReading(db, ingestId),

  /** Removes an import that will not be published. */
  discard: (ingestId: string): Promise<void> =>
    decide([{ batch: batchOf(ingestId) }], (tx) => discard(tx, ingestId)),

  async heads(ingestId: string): Promise<ChunkHead[]> {
    const rows = await db
      .selectFrom('staged_chunk')
      .select(['chunk', 'currency', 'row_count', 'total', 'first_row', 'last_row', 'rows_sha256'])
      .where('ingest_id', '=', ingestId)
      .orderBy('chunk')
      .execute();
    return rows.map((row) => ({
      chunk: row.chunk,
      currency: row.currency,
      rowCount: row.row_count,
      total: row.total,
      firstRow: row.first_row,
      lastRow: row.last_row,
      rowsSha256: row.rows_sha256,
    }));
  },

  /** The rows of a chunk as they are written down now. Reads of the rows of a pruned batch throw BATCH_PRUNED. */
  stagedRows: (ingestId: string, chunk: number): Promise<StagedRows> =>
    stagedRows(db, ingestId, chunk),

  rows: async (ingestId: string, chunk: number): Promise<ChunkRow[]> =>
    unpackRows(await rowsText(db, ingestId, chunk)),

  /** Rows by their numbers, those that are there; for some dozens of them. */
  rowsAt: (ingestId: string, numbers: readonly RowNumber[]): Promise<Row[]> =>
    rowsAt(db, ingestId, numbers),

  /** Refused rows in the order of the file, a page at a time. */
  async *refused(ingestId: string): AsyncGenerator<RefusedRow> {
    for (let after = -1; ; ) {
      const page = await refusedPage(db, ingestId, after);
      yield* page.map(fromRefusedRow);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.seq;
    }
  },
});

/** Rows of an import by their numbers, those that are there; for some dozens of them. @throws BATCH_PRUNED */
export async function rowsAt(
  db: Db,
  ingestId: string,
  numbers: readonly RowNumber[],
): Promise<Row[]> {
  const wanted = new Set(numbers);
  const heads = await db
    .selectFrom('staged_chunk')
    .select(['chunk', 'currency', 'first_row', 'last_row'])
    .where('ingest_id', '=', ingestId)
    .orderBy('chunk')
    .execute();
  const rows: Row[] = [];
  for (const { chunk, currency, first_row: first, last_row: last } of heads) {
    // Chunks of several currencies overlap, so that a number may be that of a row of another one.
    if (!numbers.some((row) => first <= row && row <= last)) continue;
    const found = unpackRows(await rowsText(db, ingestId, chunk));
    rows.push(...found.filter(({ row }) => wanted.has(row)).map((row) => ({ ...row, currency })));
  }
  return rows;
}

async function stagedRows(db: Db, ingestId: string, chunk: number): Promise<StagedRows> {
  const text = await rowsText(db, ingestId, chunk);
  return { text, sha256: createHash('sha256').update(text, 'utf8').digest('hex') };
}

async function rowsText(db: Db, ingestId: string, chunk: number): Promise<string> {
  const staged = await db
    .selectFrom('staged_chunk')
    .select('rows')
    .where('ingest_id', '=', ingestId)
    .where('chunk', '=', chunk)
    .executeTakeFirstOrThrow();
  if (staged.rows === '') throw new BursarError('BATCH_PRUNED', { batchId: batchOf(ingestId) });
  return staged.rows;
}

type Reading = Readonly<{
  batchId: string;
  ingestId: string;
  summary: IngestSummary;
  facts: RecordFacts;
  atMs: number;
}>;

const summaryDetail = (summary: IngestSummary) => ({
  file: { sha256: summary.fileSha256, sizeBytes: summary.sizeBytes },
  rows: summary.rows,
  refusedRows: summary.refusedRows,
  chunks: summary.chunks,
  totals: summary.currencies.map(({ currency, total }) => `${total}:${currency}`),
});

async function publish(tx: Tx, reading: Reading): Promise<string> {
  const { batchId, ingestId, summary, facts, atMs } = reading;
  const { ingest_id: earlier } = await tx
    .selectFrom('batch')
    .select('ingest_id')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  if (earlier === null) {
    await refuseGaps(tx, ingestId, summary);
    await onBatch(tx, { batchId, atMs, action: 'read' }, async (told) => {
      told.facts[NAMES.reading] = facts;
      Object.assign(told.detail, summaryDetail(summary));
      await tx
        .updateTable('batch')
        .set({ ingest_id: ingestId, summary_json: JSON.stringify(summary) })
        .where('batch_id', '=', batchId)
        .execute();
    });
  }
  const published = earlier ?? ingestId;
  await discardOthers(tx, batchId, published);
  return published;
}

/**
 * Every payment is made from the published import, and later batches are compared with it. An import with a chunk too
 * few or too many is never published.
 */
async function refuseGaps(db: Db, ingestId: string, summary: IngestSummary): Promise<void> {
  for (const table of ['staged_chunk', 'row_fingerprint'] as const) {
    const { chunks } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('chunks'))
      .where('ingest_id', '=', ingestId)
      .executeTakeFirstOrThrow();
    if (chunks === summary.chunks) continue;
    const message = `${chunks} chunks of ${summary.chunks} are in ${table} as ${ingestId}`;
    throw new BursarError('INTERNAL', { message });
  }
}

async function discardOthers(tx: Tx, batchId: string, published: string): Promise<void> {
  // The id of an import starts with the batch's and a slash; "0" is the character after the slash.
  const [from, to] = [`${batchId}/`, `${batchId}0`];
  for (const table of TABLES_OF_READING) {
    await tx
      .deleteFrom(table)
      .where('ingest_id', '>=', from)
      .where('ingest_id', '<', to)
      .where('ingest_id', '!=', published)
      .execute();
  }
}

async function discard(tx: Tx, ingestId: string): Promise<void> {
  for (const table of TABLES_OF_READING) {
    await tx.deleteFrom(table).where('ingest_id', '=', ingestId).execute();
  }
}

/** The id of an import starts with that of its batch and a slash. */
const batchOf = (ingestId: string): string => ingestId.slice(0, ingestId.lastIndexOf('/'));

/** Runs a write of one batch. */
type WriteOfBatch = (work: (tx: Tx) => Promise<void>) => Promise<void>;

function createWriter(write: WriteOfBatch, ingestId: string) {
  let chunks: StagedChunk[] = [];
  let refusedCount = 0;

  const flush = async (): Promise<void> => {
    if (chunks.length === 0) return;
    const rows = chunks.map((chunk) => toStagedRow(ingestId, chunk));
    const fingerprints = chunks.map((chunk) => toPrintRow(ingestId, chunk));
    chunks = [];
    await write(async (tx) => {
      await tx.insertInto('staged_chunk').values(rows).execute();
      await tx.insertInto('row_fingerprint').values(fingerprints).execute();
    });
  };
  const putChunk = async (chunk: StagedChunk): Promise<void> => {
    chunks.push(chunk);
    if (chunks.length >= CHUNKS_PER_COMMIT) await flush();
  };
  const putRefused = async (rows: readonly RefusedRow[]): Promise<void> => {
    const values = rows.map((row, i) => toRefusedRow(ingestId, refusedCount + i, row));
    refusedCount += rows.length;
    await write(async (tx) => {
      for (let from = 0; from < values.length; from += REFUSED_ROWS_PER_PAGE) {
        const page = values.slice(from, from + REFUSED_ROWS_PER_PAGE);
        await tx.insertInto('refused_row').values(page).execute();
      }
    });
  };
  return { putChunk, putRefused, flush };
}

const toStagedRow = (ingestId: string, chunk: StagedChunk) => ({
  ingest_id: ingestId,
  chunk: chunk.chunk,
  currency: chunk.currency,
  row_count: chunk.rowCount,
  total: chunk.total,
  first_row: chunk.firstRow,
  last_row: chunk.lastRow,
  rows_sha256: chunk.rowsSha256,
  rows: chunk.rows,
});

const toPrintRow = (
  ingestId: string,
  { chunk, currency, prints, identities = NO_WORDS }: StagedChunk,
) => ({
  ingest_id: ingestId,
  chunk,
  currency,
  fingerprints: bytesOf(prints),
  identities: bytesOf(identities),
});

const NO_WORDS = new Int32Array();

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
