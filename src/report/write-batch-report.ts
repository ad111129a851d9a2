import type { BatchReport } from '../domain/report/report.ts';
import { REPORT_WRITTEN, type WrittenFiles } from '../domain/report/written-report.ts';
import { ENGINE } from '../store/audit/audited.ts';
import type { HashedFile } from './drafts.ts';
import type { EarlyReports } from './early/early-reports.ts';
import { type EndedBatch, composeReport } from './compose-report.ts';
import { reportRowPages } from './report-rows.ts';
import type { ReportVersion } from './report-version.ts';
import {
  publishReport,
  reportFolder,
  type ReportPlaces,
  reportUrlOf,
  writtenReports,
} from './shared-report.ts';
import { setUnnamedAside } from './archive.ts';
import { writeReport } from './write-report-files.ts';
import type { Store } from '../store/index.ts';

export type BatchReportTarget = Readonly<{
  places: ReportPlaces;
  workflowId: string;
  /** The person or program that has the report written. Default: the engine. */
  by?: string;
  atMs: number;
  /** The version to write. Default: the newest one in the store. */
  version?: ReportVersion;
  /** The lines that are written already. Default: none. */
  early?: EarlyReports | undefined;
}>;

/** A report, and its address. */
export type WrittenBatchReport = Readonly<{ report: BatchReport; url: string }>;

/**
 * Writes the report of an ended batch, and the hash of each file to the audit log, and publishes the files where machines share
 * reports. The same store content gives the same bytes on each machine, with lines that are written already and without.
 */
export async function writeBatchReport(
  store: Store,
  ended: EndedBatch,
  { places, workflowId, version, by: actor = ENGINE, atMs, early }: BatchReportTarget,
): Promise<WrittenBatchReport> {
  const { batchId } = ended;
  const dir = reportFolder(places, batchId);
  const chunks = await store.chunks.list(batchId);
  const { accept } = JSON.parse(ended.optionsJson) as { accept: readonly string[] };
  const report = await composeReport(store, ended, {
    chunks,
    workflowId,
    accepted: accept,
    ...(version === undefined ? {} : { version }),
  });
  let written: WrittenFiles = { version: report.revision.version, files: {} };
  const onHashed = async (hashed: readonly HashedFile[]): Promise<void> => {
    const files = Object.fromEntries(hashed.map(({ name, sha256 }) => [name, sha256]));
    written = { ...written, files };
    await store.audit.append({ atMs, batchId, actor, action: REPORT_WRITTEN, detail: written });
  };
  if ((await early?.write({ batchId, chunks, report, onHashed })) !== true) {
    await writeReport({
      dir,
      report,
      pages: reportRowPages(store, ended, chunks),
      refused: ended.ingestId === null ? [] : store.staging.refused(ended.ingestId),
      onHashed,
    });
  }
  await setUnnamedAside(dir, written.version, () => writtenReports(store, batchId));
  await publishReport(places, batchId, written);
  return { report, url: reportUrlOf(places, batchId, written) };
}
