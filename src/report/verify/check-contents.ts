import type { BatchRecord } from '../../store/batches/types.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Totals } from '../../domain/report/totals.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { StoreParts } from '../../store/index.ts';
import { readTotals } from '../batch-view.ts';
import { REPORT_FILES } from '../write-report-files.ts';
import { type StoredCopies, checkFile } from './check-file.ts';
import type { BatchLog } from './check-log.ts';
import { checkPlan } from './check-plan.ts';
import { checkReportFiles, checkReportTotals, type ReportOnDisk } from './check-report.ts';
import { checkRows, recountedOf } from './check-rows.ts';
import type { Problems } from './problems.ts';
import type { CheckLists, RowProgress } from './verification-state.ts';

export type ContentsDeps = Readonly<{
  store: StoreParts;
  blobs: StoredCopies;
  /** Receives the number of checked rows, and the number of all. */
  progress?(rows: number, all: number): void;
}>;

export type BatchContents = Readonly<{
  batch: BatchRecord;
  log: BatchLog;
  reportDir: string;
  report: ReportOnDisk | undefined;
  found: CheckLists;
}>;

/** Checks the contents of a batch: the file, its rows, the plan, the totals and the report. */
export async function checkContents(
  { store, blobs, progress }: ContentsDeps,
  contents: BatchContents,
  problems: Problems,
): Promise<void> {
  const { batch, log, found } = contents;
  const isFile = await checkFile({ blobs, mayBeGone: log.isPruned }, batch.fileSha256, problems);
  found.checked.push({ what: 'copies of the file', count: isFile ? 1 : 0 });
  const chunks = await store.chunks.list(batch.batchId);
  const rows = batch.summary?.rows ?? 0;
  // Every row is checked twice: in the plan, and with its outcome.
  const progressFrom = (from: number) => (done: number) => progress?.(from + done, 2 * rows);
  await problems.during('the rows of the plan', async () => {
    const count = await checkPlan(
      store,
      { batch, chunks, isPruned: log.isPruned, onRows: progressFrom(0) },
      problems,
    );
    const what = log.isPruned ? 'rows known by their digest' : 'rows compared with the plan';
    found.checked.push({ what, count });
  });
  await problems.during('the tie-out', async () => {
    const totals = await readTotals(store, batch, chunks);
    if (batch.endState === null) found.unchecked.push(OPEN);
    else
      await checkEnd(store, { ...contents, chunks, totals, onRows: progressFrom(rows) }, problems);
  });
}

const OPEN = 'The batch has not ended. Its chunks add up to its file, and it has no report yet.';

type EndedContents = BatchContents &
  RowProgress &
  Readonly<{ chunks: readonly ChunkRecord[]; totals: Totals }>;

async function checkEnd(
  store: StoreParts,
  ended: EndedContents,
  problems: Problems,
): Promise<void> {
  const { batch, log, totals, found, reportDir, report } = ended;
  const files = await filesOf(reportDir);
  if (files.length > 0) await checkWritten(ended, problems);
  else if (!log.isPruned) problems.add('REPORT_GONE', { dir: reportDir });
  const isCurrent = await reportsAllChanges(store, batch, found);
  const hasSheet = isCurrent && files.includes('report.csv');
  if (!log.isPruned) {
    await checkOutcomes(store, { ...ended, hasSheet }, problems);
  }
  // A report from before audit marks may have other figures.
  if (isCurrent && report?.audit !== undefined)
    checkReportTotals(report, { batch, totals }, problems);
}

async function checkOutcomes(
  store: StoreParts,
  ended: EndedContents & Readonly<{ hasSheet: boolean }>,
  problems: Problems,
): Promise<void> {
  const { batch, chunks, totals, found, reportDir, hasSheet, onRows } = ended;
  await problems.during('the rows', async () => {
    const count = await checkRows(
      store,
      {
        batch,
        chunks,
        onRows,
        totals: recountedOf(batch, { ...totals, chunks: chunks.length }),
        sheet: hasSheet ? join(reportDir, 'report.csv') : null,
      },
      problems,
    );
    found.checked.push({ what: 'rows counted again', count });
  });
}

async function checkWritten(
  { batch, log, reportDir, report, found }: EndedContents,
  problems: Problems,
): Promise<void> {
  const newest = Math.max(1, batch.reportVersion);
  const version = report?.revision?.version ?? newest;
  if (version < newest) {
    const difference = `it is version ${version}, and version ${newest} was written`;
    problems.add('REPORT_DIFFERS', { file: 'report.json', difference });
  }
  if (!log.isComplete && !log.reports.some((one) => one.version === version)) {
    found.unchecked.push('Its report was written before the audit log had hashes of files.');
    return;
  }
  const written = { dir: reportDir, version, reports: log.reports, mayBeGone: log.isPruned };
  const count = await checkReportFiles(written, problems);
  found.checked.push({ what: 'files of its reports', count });
}

/** Whether the report has all changes after the end. Pending changes wait for a new version. */
async function reportsAllChanges(
  { rechecks }: StoreParts,
  { batchId }: BatchRecord,
  { unchecked }: CheckLists,
): Promise<boolean> {
  if ((await rechecks.pending(batchId)).length === 0) return true;
  unchecked.push('Its report lacks the newest changes. A new version is pending.');
  return false;
}

const filesOf = async (dir: string): Promise<string[]> =>
  (await readdir(dir).catch(() => [])).filter((name) => REPORT_FILES.includes(name));
