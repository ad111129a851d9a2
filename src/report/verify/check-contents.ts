import type { VerifyProgress } from './types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Totals } from '../../domain/report/totals.ts';
import type { BlobStore } from '../../store/rows/blobs.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Store } from '../../store/index.ts';
import { readTotals } from '../view.ts';
import { FILES } from '../write-report.ts';
import { checkFile } from './check-file.ts';
import type { LogOfBatch } from './check-log.ts';
import { checkPlan } from './check-plan.ts';
import { checkReportFiles, checkReportTotals, type ReportOnDisk } from './check-report.ts';
import { checkRows, recountedOf } from './check-rows.ts';
import type { Problems } from './problems.ts';
import type { RowProgress } from './telling.ts';

export type ContentsDeps = Readonly<{
  store: Store;
  blobs: Pick<BlobStore, 'path'>;
  /** Is told how far it is: rows that were looked at, of so many. */
  progress?(rows: number, all: number): void;
}>;

export type Contents = Readonly<{
  batch: BatchRecord;
  log: LogOfBatch;
  reportDir: string;
  report: ReportOnDisk | undefined;
  found: VerifyProgress;
}>;

/** Looks at what the records stand for: the file, its rows, the plan, the totals, the report. */
export async function checkContents(
  { store, blobs, progress }: ContentsDeps,
  contents: Contents,
  problems: Problems,
): Promise<void> {
  const { batch, found } = contents;
  const isFile = await checkFile(blobs, batch.fileSha256, problems);
  found.checked.push({ what: 'copies of the file', count: isFile ? 1 : 0 });
  const chunks = await store.chunks.list(batch.batchId);
  const rows = batch.summary?.rows ?? 0;
  // Rows are looked at twice: as they were planned, and with what became of them.
  const tellFrom = (from: number) => (done: number) => progress?.(from + done, 2 * rows);
  await problems.during('the rows of the plan', async () => {
    const count = await checkPlan(store, { batch, chunks, tell: tellFrom(0) }, problems);
    found.checked.push({ what: 'rows held against the plan', count });
  });
  await problems.during('the tie-out', async () => {
    const totals = await readTotals(store, batch, chunks);
    if (batch.endState === null) found.unchecked.push(OPEN);
    else await checkEnd(store, { ...contents, chunks, totals, tell: tellFrom(rows) }, problems);
  });
}

const OPEN = 'The batch has not ended: its chunks add up to its file, and it has no report yet.';

type Ended = Contents & RowProgress & Readonly<{ chunks: readonly ChunkRecord[]; totals: Totals }>;

async function checkEnd(
  store: ContentsDeps['store'],
  ended: Ended,
  problems: Problems,
): Promise<void> {
  const { batch, chunks, totals, found, reportDir, report, tell } = ended;
  const files = await filesOf(reportDir);
  if (files.length === 0) problems.add('REPORT_GONE', { dir: reportDir });
  else await checkWritten(ended, problems);
  const isTold = await tellsAll(store, batch, found);
  const hasSheet = isTold && files.includes('report.csv');
  await problems.during('the rows', async () => {
    const count = await checkRows(
      store,
      {
        batch,
        chunks,
        tell,
        totals: recountedOf(batch, { ...totals, chunks: chunks.length }),
        sheet: hasSheet ? join(reportDir, 'report.csv') : null,
      },
      problems,
    );
    found.checked.push({ what: 'rows counted once more', count });
  });
  // Reports from before there were marks may have other figures.
  if (isTold && report?.audit !== undefined) checkReportTotals(report, { batch, totals }, problems);
}

async function checkWritten(
  { batch, log, reportDir, report, found }: Ended,
  problems: Problems,
): Promise<void> {
  const newest = Math.max(1, batch.reportVersion);
  const version = report?.revision?.version ?? newest;
  if (version < newest) {
    const difference = `it is version ${version}, and ${newest} was written`;
    problems.add('REPORT_DIFFERS', { file: 'report.json', difference });
  }
  if (!log.isComplete && !log.reports.some((one) => one.version === version)) {
    found.unchecked.push('Its report was written before the audit log kept the hashes of files.');
    return;
  }
  const count = await checkReportFiles({ dir: reportDir, version, reports: log.reports }, problems);
  found.checked.push({ what: 'files of its reports', count });
}

/** Whether the report tells of all that became known since. A version in the making names changes that are not told yet. */
async function tellsAll(
  { late }: Store,
  { batchId }: BatchRecord,
  { unchecked }: VerifyProgress,
): Promise<boolean> {
  if ((await late.pending(batchId)).length === 0) return true;
  unchecked.push('Its report does not tell of everything yet: a new version is to be written.');
  return false;
}

const filesOf = async (dir: string): Promise<string[]> =>
  (await readdir(dir).catch(() => [])).filter((name) => FILES.includes(name));
