import type { BatchReport } from '../domain/report/report.ts';
import { ENGINE } from '../store/audit/audited.ts';
import type { HashedFile } from './drafts.ts';
import type { EarlyReports } from './early/early-reports.ts';
import { type EndedBatch, composeReport } from './compose-report.ts';
import { reportRowPages } from './report-rows.ts';
import type { ReportVersion } from './report-version.ts';
import { writeReport } from './write-report-files.ts';
import type { Store } from '../store/index.ts';

/** The action of the audit entry that a written report gets. */
export const REPORT_WRITTEN = 'report';

export type BatchReportTarget = Readonly<{
  dir: string;
  workflowId: string;
  /** The person or program that has the report written. Default: the engine. */
  by?: string;
  atMs: number;
  /** The version to write. Default: the newest one in the store. */
  version?: ReportVersion;
  /** The lines that are written already. Default: none. */
  early?: EarlyReports | undefined;
}>;

/**
 * Writes the report of an ended batch, and the hash of each file to the audit log. The same store
 * content gives the same bytes, with lines that are written already and without.
 */
export async function writeBatchReport(
  store: Store,
  ended: EndedBatch,
  { dir, workflowId, version, by: actor = ENGINE, atMs, early }: BatchReportTarget,
): Promise<BatchReport> {
  const { batchId } = ended;
  const chunks = await store.chunks.list(batchId);
  const { accept } = JSON.parse(ended.optionsJson) as { accept: readonly string[] };
  const report = await composeReport(store, ended, {
    chunks,
    workflowId,
    reportDir: dir,
    accepted: accept,
    ...(version === undefined ? {} : { version }),
  });
  const onHashed = async (written: readonly HashedFile[]): Promise<void> => {
    const files = Object.fromEntries(written.map(({ name, sha256 }) => [name, sha256]));
    const detail = { version: report.revision.version, files };
    await store.audit.append({ atMs, batchId, actor, action: REPORT_WRITTEN, detail });
  };
  if ((await early?.write({ batchId, chunks, report, onHashed })) === true) return report;
  await writeReport({
    dir,
    report,
    pages: reportRowPages(store, ended, chunks),
    refused: ended.ingestId === null ? [] : store.staging.refused(ended.ingestId),
    onHashed,
  });
  return report;
}
