import { join } from 'node:path';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { findRecord } from '../batch/find-record.ts';
import { withSourcesToRead } from '../batch/sources.ts';
import { stateByRecord } from '../batch/standing.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { openTemporaryFile, type TemporaryFile } from '../file/temporary-folder.ts';
import { type CopiedReport, copyReportFile, findNewestReport, reportsOf } from './newest-report.ts';

/** The files of the newest report of an ended batch. */
export type ReportFiles = Readonly<{
  schema: 'bursar.report-files/v1';
  batchId: string;
  version: number;
  reportUrl: string;
  files: readonly Readonly<{ name: string; sha256: string }>[];
}>;

/** @throws BATCH_NOT_FOUND, BATCH_OPEN, BATCH_PRUNED, REPORT_MISSING */
export const listReportFiles = (
  { batchId }: Readonly<{ batchId: string }>,
  context: OperationContext,
): Promise<ReportFiles> =>
  withSourcesToRead(context, async (sources) => {
    const { version, url, files } = await newestOf(sources, batchId, context);
    return {
      schema: 'bursar.report-files/v1',
      batchId,
      version,
      reportUrl: url,
      files: Object.entries(files).map(([name, sha256]) => ({ name, sha256 })),
    };
  });

/** A file of a report. `bytes` are a copy, which is removed at their end. */
export type ReportFile = TemporaryFile & Readonly<{ name: string }>;

/**
 * Opens a file of the newest report. All of it has been compared with the hash in the audit log. @throws as {@link listReportFiles},
 * REPORT_DAMAGED, and REPORT_MISSING for a name that the report does not have
 */
export const openReportFile = (
  { batchId, name }: Readonly<{ batchId: string; name: string }>,
  context: OperationContext,
): Promise<ReportFile> =>
  withSourcesToRead(context, async (sources) => {
    const newest = await newestOf(sources, batchId, context);
    if (!Object.hasOwn(newest.files, name)) {
      throw new BursarError('REPORT_MISSING', { batchId, file: name, url: newest.url });
    }
    const reports = reportsOf(sources, await context.open.blobs(sources.settings));
    const file = await openTemporaryFile(context.temporaryDir, name, (copy) =>
      copyReportFile(reports, { batchId, newest, name }, join(copy.dir, copy.name)),
    );
    return { name, ...file };
  });

async function newestOf(
  sources: Sources,
  batchId: string,
  context: OperationContext,
): Promise<CopiedReport> {
  const record = await findRecord(sources, batchId);
  if (record.endState === null) {
    throw new BursarError('BATCH_OPEN', { batchId, state: stateByRecord(record) });
  }
  return findNewestReport(reportsOf(sources, await context.open.blobs(sources.settings)), batchId);
}
