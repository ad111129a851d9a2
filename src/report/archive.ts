import { randomUUID } from 'node:crypto';
import {
  chmod,
  constants,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../domain/files/private-modes.ts';
import { nodeDisk } from './disk.ts';
import { FILES } from './write-report.ts';

/** Where the files of older versions of a report are, beside it. */
export const FOLDER_OF_VERSIONS = 'versions';

/**
 * Keeps the files of a report under `versions/<n>` beside it, before the next version takes their names. The folder
 * appears whole or not at all; one that is there is never touched. Of several who keep the same version at a time, each
 * has a draft of its own, and the first to finish has kept it.
 */
export async function archiveReport(dir: string, version: number): Promise<void> {
  const versions = join(dir, FOLDER_OF_VERSIONS);
  const folder = join(versions, String(version));
  await mkdir(versions, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  if (!(await exists(folder))) {
    await copyReport(dir, { draft: join(versions, startOfDrafts(version) + randomUUID()), folder });
  }
  await nodeDisk.syncFolder(versions);
  await nodeDisk.syncFolder(dir);
  await removeDrafts(versions, version);
}

type Places = Readonly<{ draft: string; folder: string }>;

async function copyReport(dir: string, { draft, folder }: Places): Promise<void> {
  try {
    await mkdir(draft, { mode: PRIVATE_FOLDER_MODE });
    for (const name of FILES) await keep(join(dir, name), join(draft, name));
    await nodeDisk.syncFolder(draft);
    // Never takes the place of a folder that has files.
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  }
}

const startOfDrafts = (version: number): string => `.${String(version)}.`;

/** Whoever still works at one of them, or was killed over it, is late: the version is kept. */
async function removeDrafts(versions: string, version: number): Promise<void> {
  for (const name of await readdir(versions)) {
    if (!name.startsWith(startOfDrafts(version))) continue;
    // Somebody may put a file into it meanwhile, and then it is not empty.
    await rm(join(versions, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** A report has no files for what it has nothing to say about. */
async function keep(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  await copyFile(from, to, constants.COPYFILE_EXCL);
  // A copy has the mode of its original, which an older version may have made.
  await chmod(to, PRIVATE_FILE_MODE);
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
