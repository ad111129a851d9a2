import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeDisk } from './disk.ts';
import { VERSIONS_FOLDER } from './archive.ts';
import { REPORT_FILES } from './write-report-files.ts';

/** Files of a report's folder with a line for each row. `report.json` has totals, and stays. */
const ROW_FILES = [...REPORT_FILES.filter((name) => name !== 'report.json'), 'reconciliation.csv'];

/** The size in bytes of the files with rows, of a report and of its older versions. */
export async function sizeOfRowFiles(dir: string): Promise<number> {
  let size = 0;
  for (const path of await rowFilesIn(dir)) size += (await orMissing(stat(path)))?.size ?? 0;
  return size;
}

/** Removes the files with rows, of a report and of its older versions. Returns when they are off the disk. */
export async function removeRowFiles(dir: string): Promise<void> {
  const folders = await foldersOf(dir);
  for (const path of await rowFilesIn(dir)) await rm(path, { force: true });
  for (const folder of folders) await nodeDisk.syncFolder(folder);
}

const rowFilesIn = async (dir: string): Promise<string[]> =>
  (await foldersOf(dir)).flatMap((folder) => ROW_FILES.map((name) => join(folder, name)));

/** The folder of a report and those of its older versions, as far as there are any. */
async function foldersOf(dir: string): Promise<string[]> {
  if ((await orMissing(stat(dir))) === undefined) return [];
  const versions = join(dir, VERSIONS_FOLDER);
  const names = (await orMissing(readdir(versions))) ?? [];
  return [dir, ...names.filter((name) => /^\d+$/.test(name)).map((name) => join(versions, name))];
}

async function orMissing<Result>(found: Promise<Result>): Promise<Result | undefined> {
  try {
    return await found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
