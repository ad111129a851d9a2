import type { Db } from '../database/db.ts';
import { PRINT_BYTES, type PrintSegment } from '../../domain/plan/row-print.ts';
import type { Row, RowNumber } from '../../domain/rows/row.ts';
import { type LineageStart, lineageOf } from '../batches/lineage.ts';
import { countsAsPayment } from './counted-payments.ts';
import { type PastSegment, pastSegment, type SettledChunk } from './paid-fingerprints.ts';
import { payTimeMs } from './pay-time.ts';
import { rowsAt } from './staging.ts';
import { storedIdentities } from './stored-identities.ts';
import { wordsOf } from './words-of.ts';

/** Chunks whose prints are read with one statement: some megabytes. */
const CHUNKS_PER_PAGE = 64;

/** Another batch of the account, whose rows may have been paid or may yet be. */
export type PastBatch = Readonly<{
  batchId: string;
  /** When it paid, or is to pay, milliseconds since 1970. */
  payAtMs: number;
  /** Prints at most. */
  rows: number;
  /** The prints of its rows, except of those that were surely not paid and never will be. */
  segments(wanted?: WantedPrints): AsyncIterable<PastSegment>;
  /** Its rows by their numbers, those that are there; for some dozens of them. */
  rowsAt(numbers: readonly RowNumber[]): Promise<readonly Row[]>;
}>;

/** `identities`: whether those of the rows are read, too. */
export type WantedPrints = Readonly<{ identities: boolean }>;

/** Fingerprints of published imports: the rows that a batch pays, and the rows that others paid before. */
export const createHistoryStore = (db: Db) => ({
  /** The fingerprints of one import. */
  own: (ingestId: string): AsyncIterable<PrintSegment> => ownSegments(db, ingestId),

  /** Every other planned batch of the account that sends none of the same file's rows again, the newest first. */
  others: (start: LineageStart & Readonly<{ account: string }>): Promise<PastBatch[]> =>
    others(db, start),
});

async function* ownSegments(db: Db, ingestId: string): AsyncGenerator<PrintSegment> {
  for (let after = -1; ; ) {
    const page = await db
      .selectFrom('row_fingerprint')
      .select(['chunk', 'currency', 'fingerprints as prints', 'identities'])
      .where('ingest_id', '=', ingestId)
      .where('chunk', '>', after)
      .orderBy('chunk')
      .limit(CHUNKS_PER_PAGE)
      .execute();
    const named = await storedIdentities(db, ingestId, page);
    for (const { chunk, currency, prints } of page) {
      const identities = named.get(chunk);
      yield {
        currency,
        prints: wordsOf(prints),
        ...(identities === undefined ? {} : { identities }),
      };
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.chunk;
  }
}

async function others(
  db: Db,
  { account, ...start }: LineageStart & Readonly<{ account: string }>,
): Promise<PastBatch[]> {
  const rows = await db
    .selectFrom('batch')
    .select(['batch_id', 'ingest_id', 'options_json', 'released_at_ms', 'submitted_at_ms'])
    .select(({ selectFrom }) =>
      selectFrom('row_fingerprint')
        .select(({ fn }) => fn.sum<number>(fn<number>('length', ['fingerprints'])).as('bytes'))
        .whereRef('row_fingerprint.ingest_id', '=', 'batch.ingest_id')
        .as('bytes'),
    )
    .where('account', '=', account)
    .where('digest', 'is not', null)
    .where('ingest_id', 'is not', null)
    .where('batch_id', 'not in', await lineageOf(db, start))
    .where(countsAsPayment)
    .orderBy('submitted_at_ms', 'desc')
    .orderBy('batch_id')
    .execute();
  return rows.map((row) => ({
    batchId: row.batch_id,
    payAtMs: payTimeOf(row),
    rows: (row.bytes ?? 0) / PRINT_BYTES,
    segments: (wanted = { identities: false }) =>
      pastSegments(db, { batchId: row.batch_id, ingestId: row.ingest_id ?? '' }, wanted),
    rowsAt: (numbers) => rowsAt(db, row.ingest_id ?? '', numbers),
  }));
}

/**
 * The names of the present other batches, as {@link createHistoryStore} lists them. Of two batches that are read at the
 * same time the first planned one wins: it does not count the other, and the other must count it.
 */
export async function otherIds(
  db: Db,
  { account, ...start }: LineageStart & Readonly<{ account: string }>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('batch')
    .select('batch_id')
    .where('account', '=', account)
    .where('digest', 'is not', null)
    .where('ingest_id', 'is not', null)
    .where('batch_id', 'not in', await lineageOf(db, start))
    .where(countsAsPayment)
    .execute();
  return rows.map(({ batch_id: batchId }) => batchId);
}

type Paying = Readonly<{
  options_json: string;
  released_at_ms: number | null;
  submitted_at_ms: number;
}>;

function payTimeOf(row: Paying): number {
  const { at, executionDate } = JSON.parse(row.options_json) as Readonly<{
    at?: string | null;
    executionDate?: string | null;
  }>;
  return payTimeMs({
    at: at ?? null,
    executionDate: executionDate ?? null,
    releasedAtMs: row.released_at_ms,
    submittedAtMs: row.submitted_at_ms,
  });
}

async function* pastSegments(
  db: Db,
  { batchId, ingestId }: Readonly<{ batchId: string; ingestId: string }>,
  wanted: WantedPrints,
): AsyncGenerator<PastSegment> {
  for (let after = -1; ; ) {
    const page = await pastPage(db, { batchId, ingestId, after });
    const outcomes = await verdictsOf(db, batchId, page);
    const named = wanted.identities ? await storedIdentities(db, ingestId, page) : NO_IDENTITIES;
    for (const chunk of page) {
      const { chunk: number } = chunk;
      const segment = pastSegment(chunk, outcomes.get(number) ?? NO_VERDICTS, named.get(number));
      if (segment !== undefined) yield segment;
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.chunk;
  }
}

const NO_VERDICTS: ReadonlyMap<number, string> = new Map();
const NO_IDENTITIES: ReadonlyMap<number, Int32Array> = new Map();

const pastPage = (
  db: Db,
  at: Readonly<{ batchId: string; ingestId: string; after: number }>,
): Promise<SettledChunk[]> =>
  db
    .selectFrom('row_fingerprint')
    .leftJoin('chunk', (join) =>
      join.onRef('chunk.chunk', '=', 'row_fingerprint.chunk').on('chunk.batch_id', '=', at.batchId),
    )
    .select([
      'row_fingerprint.chunk',
      'row_fingerprint.currency',
      'row_fingerprint.fingerprints as prints',
      'row_fingerprint.identities',
      'chunk.state',
      'chunk.default_outcome',
      'chunk.final',
    ])
    .where('row_fingerprint.ingest_id', '=', at.ingestId)
    .where('row_fingerprint.chunk', '>', at.after)
    .orderBy('row_fingerprint.chunk')
    .limit(CHUNKS_PER_PAGE)
    .execute();

/** The outcomes of single rows, by chunk and row; only chunks at their end have any that count. */
async function verdictsOf(
  db: Db,
  batchId: string,
  page: readonly SettledChunk[],
): Promise<Map<number, Map<number, string>>> {
  const outcomes = new Map<number, Map<number, string>>();
  const ended = page.filter(({ final }) => final === 1).map(({ chunk }) => chunk);
  if (ended.length === 0) return outcomes;
  const rows = await db
    .selectFrom('row_outcome')
    .select(['chunk', 'row', 'outcome'])
    .where('batch_id', '=', batchId)
    .where('chunk', 'in', ended)
    .execute();
  for (const { chunk, row, outcome } of rows) {
    const ofChunk = outcomes.get(chunk) ?? new Map<number, string>();
    outcomes.set(chunk, ofChunk.set(row, outcome));
  }
  return outcomes;
}
