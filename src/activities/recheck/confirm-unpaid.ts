import type { BatchRecord } from '../../store/batches/types.ts';
import { cancellationSignal } from '@temporalio/activity';
import type { ConfirmActivities, ConfirmInput } from '../../contract/activities.ts';
import { BursarError, type ErrorNote, isBursarError } from '../../domain/errors/bursar-error.ts';
import type { ErrorCode } from '../../domain/errors/catalogue.ts';
import { historyNoteOf } from '../../domain/errors/history-note.ts';
import { createResendBook, type ResendBook } from '../../domain/lineage/resend-book.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { ChunkAt } from '../../store/settlement/withdrawal-lookups.ts';
import { orRefused } from '../shared/boundary.ts';
import { inParallel } from '../shared/in-parallel.ts';
import { recheckChunk, type RecheckOptions, readFinishedChunk } from './recheck-chunk.ts';
import { reportAgain, type ReportAgainDeps } from '../report/report-again.ts';

export type ConfirmDeps = RecheckOptions & ReportAgainDeps;

/** Rows of a resend that were proven unpaid just now, and how many of them each earlier batch holds. */
export type Confirmed = Readonly<{ rows: number; byBatch: ReadonlyMap<string, number> }>;

/** Chunks of earlier generations that are read side by side. */
const READS_IN_PARALLEL = 8;
/** Rows and mass payouts that an error names. */
const NAMED_MAX = 10;

/** The last check before a resend is sent; approval may have taken days since its rows were chosen. */
export const createConfirmActivities = (deps: ConfirmDeps): ConfirmActivities => ({
  confirmUnpaid: (input) =>
    orRefused(async () => {
      const { rows } = await confirmUnpaid(deps, input);
      return { kind: 'unpaid', rows };
    }),
});

/**
 * Checks the rest of a resend of which something was sent already: it has begun and must be settled, so it is not
 * refused any more. When a row is not proven unpaid, or cannot be read, the rest is closed. A chunk that has to be
 * verified stays open, and is checked again before it is sent. Returns the reason, or null.
 */
export async function closeUnlessUnpaid(
  deps: ConfirmDeps,
  batchId: string,
): Promise<ErrorNote | null> {
  const chunks = await deps.store.chunks.list(batchId);
  // A blocked chunk comes to its end by itself.
  const planned = chunks.filter(
    ({ state, resendBlock }) => state === 'PLANNED' && resendBlock === null,
  );
  if (planned.length === 0) return null;
  const { book } = await recheckEarlier(deps, {
    batchId,
    chunks: planned.map(({ chunk }) => chunk),
  });
  const objection = objectionOf(batchId, book);
  if (objection === null) return null;
  await deps.store.chunks.closeUnsent(batchId, objection.note.what);
  return historyNoteOf(objection);
}

/**
 * Checks one resend chunk again before its second or later attempt. It cannot be closed at once, since an attempt may
 * have arrived: it is blocked, and then comes to its end like any ambiguous chunk. Throws RESEND_UNREAD when a read got
 * no answer; the caller tries again.
 */
export async function blockUnlessUnpaid(
  deps: ConfirmDeps,
  batchId: string,
  chunk: number,
): Promise<'blocked' | null> {
  const { book } = await recheckEarlier(deps, { batchId, chunks: [chunk] });
  if (await blockPaid(deps, { batchId, chunk }, book)) return 'blocked';
  requireUnpaid(batchId, book);
  return null;
}

/** Blocks a chunk whose rows may have been paid by now. Returns whether it did. */
async function blockPaid(
  { store, nowMs }: ConfirmDeps,
  at: ChunkAt,
  book: ResendBook,
): Promise<boolean> {
  const { paid } = book.objections();
  const results = [...paid].map(([row, { batchId }]) => ({ row, batchId }));
  for (const batchId of new Set(results.map((one) => one.batchId))) {
    const rows = results.filter((one) => one.batchId === batchId).map(({ row }) => row);
    await store.chunks.block(at, { batchId, rows, atMs: nowMs() });
  }
  return paid.size > 0;
}

/** Why rows are not proven unpaid; null when they are. */
function objectionOf(batchId: string, book: ResendBook): BursarError | null {
  try {
    requireUnpaid(batchId, book);
    return null;
  } catch (error) {
    if (isBursarError(error) && OBJECTIONS.some((code) => code === error.code)) return error;
    throw error;
  }
}

const OBJECTIONS: readonly ErrorCode[] = ['RESEND_OUTDATED', 'RESEND_UNREAD'];

/**
 * Proves, by signed reads of now, that no row of a resend was paid by any earlier batch of its lineage: every mass
 * payout behind the rows, every withdrawal's own record, and every key that looked unused. Changes are stored and
 * reported. Throws RESEND_OUTDATED when a row is not proven unpaid, RESEND_UNREAD when a read got no answer.
 */
export async function confirmUnpaid(deps: ConfirmDeps, input: ConfirmInput): Promise<Confirmed> {
  const { rows, book } = await recheckEarlier(deps, input);
  requireUnpaid(input.batchId, book);
  return { rows, byBatch: book.byBatch };
}

/** Reads the rows of a resend in every earlier batch of its lineage. `rows`: how many. */
async function recheckEarlier(
  deps: ConfirmDeps,
  { batchId, chunks }: ConfirmInput,
): Promise<Readonly<{ rows: number; book: ResendBook }>> {
  const line = await deps.store.lineage.line(batchId);
  const batch = line.find((each) => each.batchId === batchId);
  if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  const earlier = line.filter(({ generation }) => generation < batch.generation);
  if (earlier.length === 0) return { rows: 0, book: createResendBook(new Uint32Array()) };
  const wanted = await wantedRows(deps, batch, chunks);
  const book = createResendBook(wanted);
  for (const one of earlier) {
    await readGeneration(deps, one, book);
    await reportAgain(deps, one.batchId);
  }
  if (chunks === undefined)
    for (const block of await deps.store.chunks.resendBlocks(batchId)) book.block(block);
  return { rows: wanted.length, book };
}

async function wantedRows(
  { store }: ConfirmDeps,
  { ingestId }: BatchRecord,
  chunks: readonly number[] | undefined,
): Promise<Uint32Array> {
  if (ingestId === null) return new Uint32Array();
  const numbers: RowNumber[] = [];
  const heads = await store.staging.heads(ingestId);
  for (const { chunk } of heads) {
    if (chunks !== undefined && !chunks.includes(chunk)) continue;
    for (const { row } of await store.staging.rows(ingestId, chunk)) numbers.push(row);
  }
  return Uint32Array.from(numbers).sort();
}

async function readGeneration(
  deps: ConfirmDeps,
  { batchId, ingestId }: BatchRecord,
  book: ResendBook,
): Promise<void> {
  const chunks = await deps.store.chunks.list(batchId);
  await inParallel(READS_IN_PARALLEL, chunks, async (chunk) => {
    cancellationSignal().throwIfAborted();
    if (!book.mayConcern(chunk)) return;
    const staged = await deps.store.staging.rows(ingestId ?? '', chunk.chunk);
    const rows = book.wantedOf(staged.map(({ row }) => row));
    if (rows.length === 0) return;
    const finished = await readFinishedChunk(deps, batchId, chunk.chunk);
    const name = chunk.massPayoutId ?? chunk.externalId;
    book.note({ batchId, rows, name }, await recheckChunk(deps, finished));
    const range = { from: chunk.firstRow, to: chunk.lastRow };
    const shown = await deps.store.transactions.ofRows(batchId, range);
    book.shown({ batchId, rows: rows.filter((row) => shown.has(row)) });
  });
}

/** Throws unless every row is proven. */
function requireUnpaid(batchId: string, book: ResendBook): void {
  const { missing, paid, unread } = book.objections();
  if (missing > 0) {
    const message = `${missing} rows of ${batchId} are in no batch before it`;
    throw new BursarError('INTERNAL', { message });
  }
  if (paid.size > 0) {
    const rows = [...paid].map(([row, { why }]) => `row ${row} is ${why}`);
    throw new BursarError('RESEND_OUTDATED', {
      batchId,
      count: paid.size,
      rows: shortList(rows),
    });
  }
  if (unread.size > 0) {
    throw new BursarError('RESEND_UNREAD', { batchId, massPayouts: shortList([...unread]) });
  }
}

const shortList = (items: readonly string[]): string =>
  items.length > NAMED_MAX
    ? `${items.slice(0, NAMED_MAX).join(', ')} and ${items.length - NAMED_MAX} more`
    : items.join(', ');
