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
import { basename, join } from 'node:path';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../domain/files/private-modes.ts';
import type { WrittenFiles } from '../domain/report/written-report.ts';
import { nodeDisk } from './disk.ts';
import { orMissing } from '../files/or-missing.ts';
import { hashOfFile } from './hash-of-file.ts';
import { REPORT_FILES } from './write-report-files.ts';

/** The subfolder of a report's folder that holds its older versions. */
const VERSIONS_FOLDER = 'versions';

/** An older version of a report, and its folder. */
type KeptVersion = Readonly<{ dir: string; version: number }>;

/** The folders of the older versions of a report, and those that were set aside. */
export async function keptFolders(dir: string): Promise<string[]> {
  const folder = join(dir, VERSIONS_FOLDER);
  const names = (await orMissing(readdir(folder))) ?? [];
  return names
    .filter((name) => /^\d+(-not-in-log-.+)?$/.test(name))
    .map((name) => join(folder, name));
}

/** The older versions of a report, as far as there are any. */
export const keptVersions = async (dir: string): Promise<KeptVersion[]> =>
  (await keptFolders(dir))
    .filter((folder) => /^\d+$/.test(basename(folder)))
    .map((folder) => ({ dir: folder, version: Number(basename(folder)) }));

/**
 * Sets the kept versions from `version` on aside that no entry of the audit log names: a store that was lost wrote them. The log is read
 * only where there are such versions.
 * @example A backup from before the report is restored: `versions/1` becomes `versions/1-not-in-log-<uuid>`.
 */
export async function setUnnamedAside(
  dir: string,
  version: number,
  readNamed: () => Promise<readonly WrittenFiles[]>,
): Promise<void> {
  const suspects = (await keptVersions(dir)).filter((kept) => kept.version >= version);
  if (suspects.length === 0) return;
  const named = await readNamed();
  const isNamed = (kept: number, sha256: string): boolean =>
    named.some((one) => one.version === kept && one.files['report.json'] === sha256);
  for (const kept of suspects) {
    const sha256 = await orMissing(hashOfFile(join(kept.dir, 'report.json')));
    if (sha256 !== undefined && isNamed(kept.version, sha256)) continue;
    await rename(kept.dir, `${kept.dir}-not-in-log-${randomUUID()}`);
    await nodeDisk.syncFolder(join(dir, VERSIONS_FOLDER));
  }
}

/**
 * Copies the files of a report to `versions/<n>`, before the next version replaces them.
 * The folder appears complete or not at all, and an existing one is never changed.
 * Several processes may archive one version at a time: each writes its own draft folder, and the
 * first rename wins.
 */
export async function archiveReport(dir: string, version: number): Promise<void> {
  const versions = join(dir, VERSIONS_FOLDER);
  const folder = join(versions, String(version));
  await mkdir(versions, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  if (!(await exists(folder))) {
    await copyReport(dir, { draft: join(versions, startOfDrafts(version) + randomUUID()), folder });
  }
  await nodeDisk.syncFolder(versions);
  await nodeDisk.syncFolder(dir);
  await removeDrafts(versions, version);
}

/** `draft`: the folder of the copy in progress. `folder`: its final name. */
type ArchiveFolders = Readonly<{ draft: string; folder: string }>;

async function copyReport(dir: string, { draft, folder }: ArchiveFolders): Promise<void> {
  try {
    await mkdir(draft, { mode: PRIVATE_FOLDER_MODE });
    for (const name of REPORT_FILES) await copyDurably(join(dir, name), join(draft, name));
    await nodeDisk.syncFolder(draft);
    // A rename never replaces a folder that has files.
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  }
}

const startOfDrafts = (version: number): string => `.${String(version)}.`;

/** Removes the draft folders of a version that is archived, also those of killed processes. */
async function removeDrafts(versions: string, version: number): Promise<void> {
  for (const name of await readdir(versions)) {
    if (!name.startsWith(startOfDrafts(version))) continue;
    // A slower process may add a file meanwhile, so the removal is retried.
    await rm(join(versions, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Copies a file and syncs it to disk. A report without such a file is fine. */
async function copyDurably(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  await copyFile(from, to, constants.COPYFILE_EXCL);
  // A copy has the mode of its original, which an older version of Bursar may have set.
  await chmod(to, PRIVATE_FILE_MODE);
  const copy = await open(to, 'r');
  try {
    await copy.sync();
  } finally {
    await copy.close();
  }
}

const exists = async (path: string): Promise<boolean> =>
  (await orMissing(stat(path))) !== undefined;
