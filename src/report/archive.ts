import { constants, copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeDisk } from './disk.ts';
import { FILES } from './write-report.ts';

/** Where the files of older versions of a report are, beside it. */
export const FOLDER_OF_VERSIONS = 'versions';

/**
 * Keeps the files of a report under `versions/<n>` beside it, before the next version takes their names. The folder
 * appears whole or not at all; one that is there is never touched.
 */
export async function archiveReport(dir: string, version: number): Promise<void> {
  const folder = join(dir, FOLDER_OF_VERSIONS, String(version));
  if (await exists(folder)) return;
  const draft = join(dir, FOLDER_OF_VERSIONS, `.${version}.tmp`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  for (const name of FILES) await keep(join(dir, name), join(draft, name));
  await nodeDisk.syncFolder(draft);
  await rename(draft, folder);
  await nodeDisk.syncFolder(join(dir, FOLDER_OF_VERSIONS));
  await nodeDisk.syncFolder(dir);
}

/** A report has no files for what it has nothing to say about. */
async function keep(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  await copyFile(from, to, constants.COPYFILE_EXCL);
  const copy = await open(to, 'r');
  try {
    await copy.sync();
  } finally {
    await copy.close();
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
