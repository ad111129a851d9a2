import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchReport } from '../../../../src/domain/report/report.ts';
import type { Outcome } from '../../../../src/domain/settling/outcome.ts';
import { createFiles } from '../../../../src/files/index.ts';
import { ingestFile } from '../../../../src/ingest/index.ts';
import type { HashedFile } from '../../../../src/report/drafts.ts';
import { createEarlyReportBook } from '../../../../src/report/early/early-report-book.ts';
import type { EarlyReports } from '../../../../src/report/early/early-reports.ts';
import { writeBatchReport } from '../../../../src/report/write-batch-report.ts';
import { writableDb } from '../../../../src/store/database/writable.ts';
import type { Store } from '../../../../src/store/index.ts';
import { BLOCK_THREAD } from '../../../ingest/support/ingest.ts';
import { contentOf, newBatch, planNamed } from '../../../support/store-fixtures.ts';

export const BATCH = 'payroll';
const CHUNK_ROWS = 3;
const ENDED_AT_MS = 1_800_000_100_000;

/** Plans a batch with the rows of this file. */
export async function planFile(
  store: Store,
  folder: string,
  text: string,
  chunkRows = CHUNK_ROWS,
): Promise<void> {
  const path = join(folder, 'payroll.csv');
  writeFileSync(path, text);
  await store.batches.register(newBatch(BATCH, { optionsJson: '{"accept":[]}' }));
  const { ingestId, sink, flush } = store.staging.begin(BATCH);
  const options = { chunkRows, threads: { module: BLOCK_THREAD } };
  const summary = await ingestFile({ name: 'payroll.csv', path }, options, sink);
  await flush();
  await store.staging.publish(BATCH, ingestId, summary);
  await store.batches.planOnce(contentOf(BATCH), () => planNamed('sha256:d'));
  const heads = await store.staging.heads(ingestId);
  await store.chunks.plan(
    BATCH,
    heads.map((head) => ({
      ...head,
      idempotencyKey: `key-${head.chunk}`,
      externalId: `${BATCH}/${head.chunk}`,
    })),
  );
}

/** The end of a chunk. `named`: the outcome of its first row, when it has one of its own. */
export type ChunkEnd = Readonly<{ rest: Outcome; named: Outcome | null; reason: string }>;

/** Stores the end of a chunk, in the place of an earlier one. */
export async function endChunk(store: Store, chunk: number, end: ChunkEnd): Promise<void> {
  const db = writableDb(store);
  const { firstRow } = await store.chunks.get(BATCH, chunk);
  await db
    .updateTable('chunk')
    .set({
      state: 'CREATED',
      mass_payout_id: `mp-${chunk}`,
      mass_state: 'PARTIAL',
      default_outcome: end.rest,
      default_reason: end.reason,
      final: 1,
    })
    .where('chunk', '=', chunk)
    .execute();
  await db.deleteFrom('row_outcome').where('chunk', '=', chunk).execute();
  if (end.named === null) return;
  const batch = await store.batches.find(BATCH);
  const [first] = await store.staging.rowsAt(batch?.ingestId ?? '', [firstRow]);
  await db
    .insertInto('row_outcome')
    .values({
      batch_id: BATCH,
      row: firstRow,
      chunk,
      outcome: end.named,
      reason: end.reason,
      amount: first?.amount ?? '0',
      withdrawal_id: `w-${chunk}`,
      transaction_hash: null,
      fee: null,
      fee_currency: null,
    })
    .execute();
}

/** The files of a written report with their bytes, their hashes in the audit log, and the report. */
export type Written = Readonly<{
  files: Readonly<Record<string, string>>;
  hashed: readonly HashedFile[];
  report: BatchReport;
}>;

/** Writes the report of the batch into an empty folder, without any change of the store. */
export async function writeAtEnd(
  store: Store,
  folder: string,
  early?: EarlyReports,
): Promise<Written> {
  const dir = join(folder, BATCH);
  if (early === undefined) rmSync(dir, { recursive: true, force: true });
  const batch = await store.batches.find(BATCH);
  if (batch === undefined) throw new Error('the batch is in the store');
  const hashed: HashedFile[] = [];
  const append: Store['audit']['append'] = async ({ detail }) => {
    const files = detail?.['files'] as Record<string, string>;
    hashed.push(...Object.entries(files).map(([name, sha256]) => ({ name, sha256 })));
    return { seq: 0, hash: '' };
  };
  const ended = { ...batch, endState: 'PARTIAL', endedAtMs: ENDED_AT_MS } as const;
  const { report } = await writeBatchReport(
    { ...store, audit: { ...store.audit, append } },
    ended,
    {
      places: { reportDir: folder, blobs: createFiles(`file:${join(folder, 'blobs')}`) },
      workflowId: `batch/${BATCH}`,
      atMs: ENDED_AT_MS,
      early,
    },
  );
  const files = Object.fromEntries(
    readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')]),
  );
  return { files, hashed, report };
}

/** The early reports of one worker, in the calling thread. */
export type EarlyInTest = EarlyReports &
  Readonly<{
    /** For each report at its end, whether its early lines were used. */
    used: boolean[];
    /** The chunks whose rows were read, in order. */
    read: number[];
    dropEnded(): Promise<void>;
    isEmpty(): boolean;
  }>;

/** Early reports whose `follow` returns after the lines of all final rows are written. */
export function earlyInTest(store: Store, folder: string): EarlyInTest {
  const read: number[] = [];
  const rows: Store['staging']['rows'] = (ingestId, chunk) => {
    read.push(chunk);
    return store.staging.rows(ingestId, chunk);
  };
  const book = createEarlyReportBook(
    { ...store, staging: { ...store.staging, rows } },
    folder,
    CHUNK_ROWS,
  );
  const used: boolean[] = [];
  return {
    used,
    read,
    follow: (batchId) => void book.follow(batchId),
    async write({ batchId, chunks, report, onHashed }) {
      const files = await book.finish(batchId, { chunks, report });
      used.push(files !== undefined);
      if (files === undefined) return false;
      await onHashed(files);
      await book.publish(batchId);
      return true;
    },
    dropEnded: book.dropEnded,
    isEmpty: book.isEmpty,
    close: book.discardAll,
  };
}

/** Leaves the files of a killed worker in the report folder of the batch. */
export function leaveDrafts(folder: string, drafts: Readonly<Record<string, string>>): void {
  const dir = join(folder, BATCH);
  mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries(drafts)) writeFileSync(join(dir, name), text);
}
