import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { reportPrefix } from '../domain/report/written-report.ts';
import { nodeDisk } from './disk.ts';
import { keptFolders } from './archive.ts';
import { orMissing } from '../files/or-missing.ts';
import { arePublished, reportFolder, type StoredReports, writtenReports } from './shared-report.ts';
import { REPORT_FILES } from './write-report-files.ts';

/** Files of a report's folder with a line for each row. `report.json` has totals, and stays. */
const ROW_FILES = [...REPORT_FILES.filter((name) => name !== 'report.json'), 'reconciliation.csv'];

/** The size in bytes of the files with rows, of all versions of a report: on this machine, and published. */
export async function sizeOfRowFiles(reports: StoredReports, batchId: string): Promise<number> {
  let size = 0;
  for (const path of await rowFilesIn(reportFolder(reports, batchId))) {
    size += (await orMissing(stat(path)))?.size ?? 0;
  }
  for (const prefix of await publishedPrefixes(reports, batchId)) {
    for await (const { path, sizeBytes } of reports.blobs.list(prefix)) {
      if (ROW_FILES.includes(basename(path))) size += sizeBytes;
    }
  }
  return size;
}

/** Removes the files with rows, of all versions of a report: on this machine, and published. */
export async function removeRowFiles(reports: StoredReports, batchId: string): Promise<void> {
  for (const prefix of await publishedPrefixes(reports, batchId)) {
    await reports.blobs.removePublished(prefix, ROW_FILES);
  }
  await removeLocalRowFiles(reportFolder(reports, batchId));
}

/** The audit log names each version before it is published, so none is left out. */
async function publishedPrefixes(reports: StoredReports, batchId: string): Promise<Set<string>> {
  if (!arePublished(reports)) return new Set();
  const written = await writtenReports(reports.store, batchId);
  return new Set(written.map((one) => reportPrefix(batchId, one)));
}

/** Removes the files with rows from a folder of this machine. Returns when they are off the disk. */
export async function removeLocalRowFiles(dir: string): Promise<void> {
  const folders = await foldersOf(dir);
  for (const path of await rowFilesIn(dir)) await rm(path, { force: true });
  for (const folder of folders) await nodeDisk.syncFolder(folder);
}

const rowFilesIn = async (dir: string): Promise<string[]> =>
  (await foldersOf(dir)).flatMap((folder) => ROW_FILES.map((name) => join(folder, name)));

/** The folder of a report and those of its older versions, as far as there are any. */
const foldersOf = async (dir: string): Promise<string[]> =>
  (await orMissing(stat(dir))) === undefined ? [] : [dir, ...(await keptFolders(dir))];
