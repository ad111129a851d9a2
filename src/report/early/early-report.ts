import { createHash } from 'node:crypto';
import { isOpenChunk } from '../../domain/batch/chunk-state.ts';
import type { BatchReport } from '../../domain/report/report.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Store } from '../../store/index.ts';
import type { HashedFile } from '../drafts.ts';
import { wasPlanned } from '../recount.ts';
import { readRowFacts, type RowFacts, rowPages, ROWS_PER_READ } from '../report-rows.ts';
import { readResentRows } from '../resent-rows.ts';
import { addRows, endReport, REPORT_FILES, startReport } from '../write-report-files.ts';

/** A batch at its end: its chunks as they are stored, and its report without the rows. */
export type EarlyReportEnd = Readonly<{ chunks: readonly ChunkRecord[]; report: BatchReport }>;

/** The report of a batch whose rows are written, in file order, as their outcomes become final. */
export type EarlyReport = Readonly<{
  /** Writes the lines of further rows if their chunks are final. Returns at once. */
  goOn(): void;
  /**
   * Writes the remaining rows and files. Returns the hash of every file, or undefined when the store
   * no longer has the facts that the lines were made from: the report must then be written anew. A
   * second call returns undefined.
   */
  finish(end: EarlyReportEnd): Promise<HashedFile[] | undefined>;
  /** Gives the files their names. */
  publish(): Promise<void>;
  /** Stops writing, and removes the drafts. */
  discard(): Promise<void>;
}>;

/** Starts the report of an open batch. No file that is read again holds its state: a crash loses it. */
export async function startEarlyReport(
  store: Store,
  batch: BatchRecord,
  { dir, rowsPerRead = ROWS_PER_READ }: Readonly<{ dir: string; rowsPerRead?: number | undefined }>,
): Promise<EarlyReport> {
  const started = await startReport(dir, batch);
  const reader = createFinalFactsReader(store, batch.batchId);
  const chunks = await store.chunks.list(batch.batchId);
  const pages = rowPages(store, batch, { chunks, readFacts: reader.read, rowsPerRead });
  const writing = addRows(started, pages);
  // `finish` throws its error.
  writing.catch(() => undefined);
  let isEnding = false;
  return {
    goOn: reader.goOn,
    async finish(end) {
      // An activity that is tried again while it runs would add to the same files.
      if (isEnding) return undefined;
      isEnding = true;
      reader.end(end.chunks);
      await writing;
      const resent = await readResentRows(store, batch.batchId);
      if (!wasPlanned(end.report) || !resent.isEmpty) return undefined;
      if (!(await reader.areFactsSame(end.chunks))) return undefined;
      const refused = batch.ingestId === null ? [] : store.staging.refused(batch.ingestId);
      return endReport(started, { report: end.report, refused });
    },
    async publish() {
      await started.drafts.publish(REPORT_FILES);
    },
    async discard() {
      reader.stop();
      await Promise.allSettled([writing]);
      await started.drafts.discard();
    },
  };
}

/** The numbers of some chunks, and a hash of the facts that the lines of their rows were made from. */
type FactsRead = Readonly<{ chunks: readonly number[]; sha256: string }>;

/** Reads the facts of chunks once they are final, and keeps a hash of them. */
function createFinalFactsReader(store: Store, batchId: string) {
  const early: FactsRead[] = [];
  let ended: ReadonlyMap<number, ChunkRecord> | undefined;
  let isStopped = false;
  let wake = createWake();

  const goOn = (): void => {
    wake.resolve();
    wake = createWake();
  };

  async function readEarly(numbers: readonly number[]): Promise<RowFacts | undefined> {
    const chunks = await store.chunks.getMany(batchId, numbers);
    if (!chunks.every(isFinal)) return undefined;
    const facts = await readRowFacts(store, batchId, chunks);
    early.push({ chunks: numbers, sha256: hashOf(facts) });
    return facts;
  }

  return {
    async read(some: readonly ChunkRecord[]): Promise<RowFacts> {
      const numbers = some.map(({ chunk }) => chunk);
      for (;;) {
        if (isStopped) throw new Error('the early report is stopped');
        if (ended !== undefined) return readRowFacts(store, batchId, chunksOf(ended, numbers));
        // A change after this read wakes the next one.
        const { woken } = wake;
        const facts = await readEarly(numbers);
        if (facts !== undefined) return facts;
        await woken;
      }
    },
    goOn,
    /** From here on the facts of all chunks are read, whether they are final or not. */
    end(chunks: readonly ChunkRecord[]): void {
      ended = byNumber(chunks);
      goOn();
    },
    stop(): void {
      isStopped = true;
      goOn();
    },
    /** Whether the facts that were read early are those of the store now, with these chunks. */
    async areFactsSame(chunks: readonly ChunkRecord[]): Promise<boolean> {
      const now = byNumber(chunks);
      for (const { chunks: numbers, sha256 } of early) {
        const facts = await readRowFacts(store, batchId, chunksOf(now, numbers));
        if (hashOf(facts) !== sha256) return false;
      }
      return true;
    },
  };
}

function createWake() {
  let resolve = (): void => undefined;
  const woken = new Promise<void>((done) => {
    resolve = done;
  });
  return { woken, resolve };
}

/** Whether the outcomes of a chunk change only when a person or the service takes them back. */
const isFinal = ({ state, final }: ChunkRecord): boolean =>
  state !== 'PLANNED' && !isOpenChunk(state, final);

const byNumber = (chunks: readonly ChunkRecord[]): ReadonlyMap<number, ChunkRecord> =>
  new Map(chunks.map((chunk) => [chunk.chunk, chunk]));

const chunksOf = (
  chunks: ReadonlyMap<number, ChunkRecord>,
  numbers: readonly number[],
): ChunkRecord[] =>
  numbers.flatMap((number) => {
    const chunk = chunks.get(number);
    return chunk === undefined ? [] : [chunk];
  });

/** All columns count, so that no line can depend on one that is left out. */
const hashOf = ({ chunks, outcomes, transactions = new Map() }: RowFacts): string => {
  const rows = [...outcomes].map(([chunk, own]) => [chunk, [...own]]);
  return createHash('sha256')
    .update(JSON.stringify([chunks, rows, [...transactions]]))
    .digest('hex');
};
