import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  bucketReportUrl,
  newestReport,
  REPORT_WRITTEN,
  reportPrefix,
  type WrittenFiles,
  writtenFilesOf,
} from '../domain/report/written-report.ts';
import { filesPlaceOf } from '../domain/store/files-url.ts';
import type { Files } from '../files/index.ts';
import type { StoreParts } from '../store/index.ts';

/** Where reports are. */
export type ReportAddresses = Readonly<{
  /** The folder of this machine, which has a folder for each batch. */
  reportDir: string;
  /** The files that programs share. Where they are in a bucket, each report is published there. */
  blobs: Readonly<{ url: string }>;
}>;

/** Where reports are, to read and to write. */
export type ReportPlaces = ReportAddresses & Readonly<{ blobs: Files }>;

/** The reports of the batches of a store. */
export type StoredReports = ReportPlaces & Readonly<{ store: StoreParts }>;

/** Whether reports are published in a bucket, where every machine reads them. */
export const arePublished = ({ blobs }: ReportAddresses): boolean =>
  filesPlaceOf(blobs.url)?.kind === 'bucket';

export const reportFolder = ({ reportDir }: ReportAddresses, batchId: string): string =>
  join(reportDir, batchId);

/** All reports of a batch that were written, in order. */
export const writtenReports = async (
  { audit }: StoreParts,
  batchId: string,
): Promise<WrittenFiles[]> => (await audit.ofAction(batchId, REPORT_WRITTEN)).map(writtenFilesOf);

/** The newest report of a batch, as the audit log names it; undefined: none was written. */
export const readNewestReport = async (
  store: StoreParts,
  batchId: string,
): Promise<WrittenFiles | undefined> => newestReport(await writtenReports(store, batchId));

/**
 * The address of a report: its prefix in the bucket, or else the folder of this machine.
 * @example 's3://payouts/files/reports/june/v1-0123456789abcdef', 'file:///srv/runs/june'
 */
export const reportUrlOf = (
  places: ReportAddresses,
  batchId: string,
  written: WrittenFiles,
): string => bucketReportUrl(places.blobs.url, batchId, written) ?? folderUrl(places, batchId);

/** The address of the folder of this machine that a report is in. */
export const folderUrl = (places: ReportAddresses, batchId: string): string =>
  pathToFileURL(reportFolder(places, batchId)).href;

/** The address of the newest report of a batch that has ended; null: none is published. */
export async function readReportUrl(
  store: StoreParts,
  places: ReportAddresses,
  batchId: string,
): Promise<string | null> {
  if (!arePublished(places)) return folderUrl(places, batchId);
  const newest = await readNewestReport(store, batchId);
  return newest === undefined ? null : reportUrlOf(places, batchId, newest);
}

/**
 * Publishes the files of a report from the folder of this machine, where reports are published at all. The audit log names
 * them already, so a program that is lost before this has named a report that nothing was published of: its writer writes it again.
 * @throws FILES_UNAVAILABLE, PUBLISHED_ALREADY
 */
export async function publishReport(
  places: ReportPlaces,
  batchId: string,
  written: WrittenFiles,
): Promise<void> {
  if (!arePublished(places)) return;
  const dir = reportFolder(places, batchId);
  const files = Object.entries(written.files).map(([name, sha256]) => ({
    name,
    sha256,
    read: () => createReadStream(join(dir, name)),
  }));
  await places.blobs.publish(reportPrefix(batchId, written), files);
}
