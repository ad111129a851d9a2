import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import {
  newestReport,
  reportPrefix,
  type WrittenFiles,
} from '../../domain/report/written-report.ts';
import type { Files } from '../../files/index.ts';
import { archiveReport } from '../../report/archive.ts';
import { nodeDisk } from '../../report/disk.ts';
import { draftName } from '../../report/drafts.ts';
import {
  arePublished,
  folderUrl,
  readNewestReport,
  reportFolder,
  reportUrlOf,
  type StoredReports,
  writtenReports,
} from '../../report/shared-report.ts';
import { hashOfFile } from '../../report/hash-of-file.ts';
import { isMissing, orMissing } from '../../files/or-missing.ts';
import { REPORT_FILES } from '../../report/write-report-files.ts';
import type { StoreParts } from '../../store/index.ts';
import type { Sources } from '../batch/types.ts';
import { unwritable } from '../text/unwritable.ts';

/** The reports of the batches of a store, as the settings place them. */
export const reportsOf = ({ settings, store }: Sources, blobs: Files): StoredReports => ({
  store,
  blobs,
  reportDir: settings.report.dir,
});

/** A report that was copied. `files`: SHA-256 by name. */
export type CopiedReport = WrittenFiles & Readonly<{ url: string }>;

/**
 * Copies the newest report of an ended batch into a folder, from the bucket where reports are published, or else from the folder
 * of this machine. Each file has the hash that the audit log names, or nothing is copied.
 * @throws BATCH_PRUNED, REPORT_MISSING, REPORT_DAMAGED, FILES_UNAVAILABLE
 */
export async function copyNewestReport(
  reports: StoredReports,
  batchId: string,
  dir: string,
): Promise<CopiedReport> {
  const newest = await findNewestReport(reports, batchId);
  await copyFiles(copiedFrom(reports, batchId, newest), dir);
  return newest;
}

/** The newest report of an ended batch. @throws BATCH_PRUNED, REPORT_MISSING */
export async function findNewestReport(
  reports: StoredReports,
  batchId: string,
): Promise<CopiedReport> {
  const { store } = reports;
  if (await isPruned(store, batchId)) throw new BursarError('BATCH_PRUNED', { batchId });
  const newest = await readNewestReport(store, batchId);
  if (newest !== undefined) return { ...newest, url: reportUrlOf(reports, batchId, newest) };
  const url = folderUrl(reports, batchId);
  throw new BursarError('REPORT_MISSING', { batchId, file: 'report.json', url });
}

/** Copies one file of a report to a path. @throws REPORT_MISSING, REPORT_DAMAGED, FILES_UNAVAILABLE */
export const copyReportFile = (
  reports: StoredReports,
  { batchId, newest, name }: Readonly<{ batchId: string; newest: CopiedReport; name: string }>,
  path: string,
): Promise<void> => copyFile(copiedFrom(reports, batchId, newest), name, path);

const copiedFrom = (
  reports: StoredReports,
  batchId: string,
  { url, ...written }: CopiedReport,
): CopiedFiles => ({ batchId, url, written, blocksOf: sourceOf(reports, batchId, written) });

/**
 * Returns the folder of this machine that has the newest report of a batch. Where another machine wrote and published it, it is
 * copied there first. A file that no entry of the audit log names stays, and `bursar verify` finds it.
 * @throws REPORT_MISSING, REPORT_DAMAGED, FILES_UNAVAILABLE
 */
export async function folderOfNewestReport(
  reports: StoredReports,
  batchId: string,
): Promise<string> {
  const { store } = reports;
  const dir = reportFolder(reports, batchId);
  const all = arePublished(reports) ? await writtenReports(store, batchId) : [];
  const newest = newestReport(all);
  if (newest === undefined) return dir;
  const isWithoutRows = await isPruned(store, batchId);
  const files = isWithoutRows ? unprunedOf(newest) : newest.files;
  const present = await hashesIn(dir);
  const isNewest = REPORT_FILES.every((name) => present[name] === files[name]);
  const isOurs = REPORT_FILES.every(
    (name) => present[name] === undefined || all.some((one) => one.files[name] === present[name]),
  );
  if (isNewest || !isOurs) return dir;
  const url = reportUrlOf(reports, batchId, newest);
  const blocksOf = sourceOf(reports, batchId, newest);
  try {
    const { 'report.json': summary } = present;
    const older = all.find((one) => one.files['report.json'] === summary);
    const isKept = summary !== undefined && older !== undefined && !isWithoutRows;
    if (isKept && older.version < newest.version) await archiveReport(dir, older.version);
    await copyFiles({ batchId, url, written: { ...newest, files }, blocksOf }, dir);
  } catch (error) {
    throw unwritable('report.dir', error);
  }
  return dir;
}

/** The folder that a verification reads, and what is wrong with the published report; null: nothing is. */
export type FolderToVerify = Readonly<{ reportDir: string; fault: ReportFault | null }>;

type ReportFault = BursarError<'REPORT_MISSING' | 'REPORT_DAMAGED'>;

const isReportFault = (error: unknown): error is ReportFault =>
  isBursarError(error) && (error.code === 'REPORT_MISSING' || error.code === 'REPORT_DAMAGED');

/** As {@link folderOfNewestReport}. The rest of a batch is verified also when its published report is missing or damaged. */
export async function folderToVerify(
  reports: StoredReports,
  batchId: string,
): Promise<FolderToVerify> {
  try {
    return { reportDir: await folderOfNewestReport(reports, batchId), fault: null };
  } catch (fault) {
    if (!isReportFault(fault)) throw fault;
    return { reportDir: reportFolder(reports, batchId), fault };
  }
}

const isPruned = async ({ batches }: StoreParts, batchId: string): Promise<boolean> =>
  ((await batches.find(batchId))?.prunedAtMs ?? null) !== null;

/** The file of a pruned report that is left. */
const unprunedOf = ({ files }: WrittenFiles): WrittenFiles['files'] => {
  const { 'report.json': sha256 } = files;
  return sha256 === undefined ? {} : { 'report.json': sha256 };
};

async function hashesIn(dir: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const name of REPORT_FILES) {
    const found = await orMissing(hashOfFile(join(dir, name)));
    if (found !== undefined) hashes[name] = found;
  }
  return hashes;
}

/** The blocks of a file of a report, by its name. */
type Source = (name: string) => AsyncIterable<Buffer>;

function sourceOf(reports: StoredReports, batchId: string, written: WrittenFiles): Source {
  if (arePublished(reports)) {
    const prefix = reportPrefix(batchId, written);
    return (name) => publishedBlocks(reports.blobs, prefix, name);
  }
  const dir = reportFolder(reports, batchId);
  return (name) => createReadStream(join(dir, name));
}

async function* publishedBlocks(
  blobs: Files,
  prefix: string,
  name: string,
): AsyncGenerator<Buffer> {
  const copy = await blobs.openPublished(prefix, name);
  try {
    yield* copy.blocks;
  } finally {
    await copy.close();
  }
}

type CopiedFiles = Readonly<{
  batchId: string;
  url: string;
  written: WrittenFiles;
  blocksOf: Source;
}>;

/** The files get their names when all of them are on disk. After a crash each is old or new, and the next copy ends it. */
async function copyFiles(copied: CopiedFiles, dir: string): Promise<void> {
  await nodeDisk.makeFolder(dir);
  const drafts = new Map<string, string>();
  try {
    for (const name of REPORT_FILES) {
      if (copied.written.files[name] === undefined) continue;
      const draft = join(dir, draftName(name));
      drafts.set(name, draft);
      await copyFile(copied, name, draft);
    }
    for (const name of REPORT_FILES) {
      const draft = drafts.get(name);
      if (draft === undefined) await nodeDisk.remove(join(dir, name));
      else await nodeDisk.rename(draft, join(dir, name));
    }
    await nodeDisk.syncFolder(dir);
  } catch (error) {
    for (const draft of drafts.values()) await nodeDisk.remove(draft);
    throw error;
  }
}

async function copyFile(
  { batchId, url, written, blocksOf }: CopiedFiles,
  file: string,
  draft: string,
): Promise<void> {
  const hash = createHash('sha256');
  const copy = await nodeDisk.create(draft);
  try {
    for await (const block of blocksOf(file)) {
      hash.update(block);
      await copy.append(block);
    }
    await copy.sync();
  } catch (error) {
    const code = isBursarError(error) ? error.code : undefined;
    if (code === 'PUBLISHED_MISSING' || isMissing(error)) {
      throw new BursarError('REPORT_MISSING', { batchId, file, url });
    }
    if (code === 'BLOB_DAMAGED') throw new BursarError('REPORT_DAMAGED', { batchId, file, url });
    throw error;
  } finally {
    await copy.close();
  }
  // The manifest of a bucket may have been changed together with the file.
  if (hash.digest('hex') === written.files[file]) return;
  throw new BursarError('REPORT_DAMAGED', { batchId, file, url });
}
