import { join } from 'node:path';
import type { Store } from '../../store/index.ts';
import type { HashedFile } from '../drafts.ts';
import { type EarlyReport, type EarlyReportEnd, startEarlyReport } from './early-report.ts';

/** Early reports of one worker. Each has four open files; a further batch is written at its end. */
const REPORTS_MAX = 16;

/** The early reports by batch; undefined: the batch is not open. A rejected one could not start. */
type Reports = Map<string, Promise<EarlyReport | undefined>>;

/** The early reports of a worker, by batch. `rowsPerRead`: rows whose outcomes are read together. */
export function createEarlyReportBook(store: Store, reportDir: string, rowsPerRead?: number) {
  const reports: Reports = new Map();

  async function start(batchId: string): Promise<EarlyReport | undefined> {
    const batch = await store.batches.find(batchId);
    const isOpen = batch !== undefined && batch.endState === null && batch.digest !== null;
    const dir = join(reportDir, batchId);
    return isOpen ? startEarlyReport(store, batch, { dir, rowsPerRead }) : undefined;
  }

  return {
    isEmpty: (): boolean => reports.size === 0,

    /** Writes the lines of further rows of a batch. The first call starts its report. */
    async follow(batchId: string): Promise<void> {
      const known = reports.get(batchId);
      if (known === undefined && reports.size >= REPORTS_MAX) return;
      const report = known ?? start(batchId);
      reports.set(batchId, report);
      // A report that could not start fails at `finish`.
      const started = await report.catch(() => 'failed' as const);
      if (started === undefined) reports.delete(batchId);
      else if (started !== 'failed') started.goOn();
    },

    /** As `finish` of the report. Returns undefined for a batch without an early report. */
    finish: (batchId: string, end: EarlyReportEnd): Promise<HashedFile[] | undefined> =>
      takeStep(reports, batchId, (report) => report.finish(end)),

    /** Gives the files of a finished report their names. */
    async publish(batchId: string): Promise<void> {
      const isPublished = await takeStep(reports, batchId, async (report) => {
        await report.publish();
        return true;
      });
      if (isPublished !== true) throw new Error(`batch ${batchId} has no early report`);
      reports.delete(batchId);
    },

    discard: (batchId: string): Promise<void> => discard(reports, batchId),

    /** Removes the reports of batches that another worker has ended. */
    async dropEnded(): Promise<void> {
      for (const batchId of reports.keys()) {
        const batch = await store.batches.find(batchId);
        if (batch === undefined || batch.endState !== null) await discard(reports, batchId);
      }
    },

    async discardAll(): Promise<void> {
      for (const batchId of reports.keys()) await discard(reports, batchId);
    },
  };
}

/** Runs a step towards the end of a report. A report whose step has no result is removed. */
async function takeStep<Result>(
  reports: Reports,
  batchId: string,
  work: (report: EarlyReport) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  let result: Result | undefined;
  try {
    const report = await reports.get(batchId);
    result = report === undefined ? undefined : await work(report);
    return result;
  } finally {
    if (result === undefined) await discard(reports, batchId);
  }
}

async function discard(reports: Reports, batchId: string): Promise<void> {
  const report = reports.get(batchId);
  reports.delete(batchId);
  // A report that did not start has nothing to remove.
  await (await report?.catch(() => undefined))?.discard();
}
