import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { rowsWorkbook, workbookName } from '../../report/workbook/rows-workbook.ts';
import { findRecord } from '../batch/find-record.ts';
import { withSourcesToRead } from '../batch/sources.ts';
import { stateByRecord } from '../batch/standing.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { openTemporaryFile } from '../file/temporary-folder.ts';
import { type CopiedReport, copyReportFile, findNewestReport, reportsOf } from './newest-report.ts';

/** The files of the newest report of an ended batch. `workbook`: the name of its rows as a workbook; null: it has no rows. */
export type ReportFiles = Readonly<{
  schema: 'bursar.report-files/v1';
  batchId: string;
  version: number;
  reportUrl: string;
  files: readonly Readonly<{ name: string; sha256: string; workbook: string | null }>[];
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
      files: Object.entries(files).map(([name, sha256]) => ({
        name,
        sha256,
        workbook: workbookName(name) ?? null,
      })),
    };
  });

/** A file of a report, or a workbook. `sizeBytes`: null for a workbook, which is made while it is read. */
export type ReportFile = Readonly<{ name: string; sizeBytes: number | null; bytes: Readable }>;

/**
 * Opens a file of the newest report, or its rows as a workbook, such as `report.xlsx`. All of the file has been compared with the
 * hash in the audit log. `bytes` are those of a copy, which is removed at their end.
 * @throws as {@link listReportFiles}, REPORT_DAMAGED, and REPORT_MISSING for a name that the report does not have
 */
export const openReportFile = (
  { batchId, name }: Readonly<{ batchId: string; name: string }>,
  context: OperationContext,
): Promise<ReportFile> =>
  withSourcesToRead(context, async (sources) => {
    const newest = await newestOf(sources, batchId, context);
    const source = Object.keys(newest.files).find(
      (file) => file === name || workbookName(file) === name,
    );
    if (source === undefined) {
      throw new BursarError('REPORT_MISSING', { batchId, file: name, url: newest.url });
    }
    const reports = reportsOf(sources, await context.open.blobs(sources.settings));
    const { sizeBytes, bytes } = await openTemporaryFile(context.temporaryDir, source, (copy) =>
      copyReportFile(reports, { batchId, newest, name: source }, join(copy.dir, copy.name)),
    );
    return source === name
      ? { name, sizeBytes, bytes }
      : { name, sizeBytes: null, bytes: rowsWorkbook(bytes) };
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
