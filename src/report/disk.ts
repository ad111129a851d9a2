import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../domain/files/private-modes.ts';

/** An open file that a report is written to. */
export type WritableFile = Readonly<{
  append(bytes: Uint8Array): Promise<void>;
  /** Makes the appended bytes survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}>;

/** The file operations of this room. It is a dependency, so that tests can cut a write short. */
export type Disk = Readonly<{
  /** Makes the folder and its parents unless they exist. */
  makeFolder(dir: string): Promise<void>;
  list(dir: string): Promise<string[]>;
  /** Makes a new file. Rejects when it exists. */
  create(path: string): Promise<WritableFile>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. A missing file is fine. */
  remove(path: string): Promise<void>;
  /** Makes renames and removals in the folder survive a power cut. */
  syncFolder(dir: string): Promise<void>;
}>;

export const nodeDisk: Disk = {
  makeFolder,
  syncFolder,
  rename,
  list: (dir) => readdir(dir),
  remove: (path) => rm(path, { force: true }),
  async create(path) {
    const handle = await open(path, 'wx', PRIVATE_FILE_MODE);
    return {
      append: (bytes) => handle.appendFile(bytes),
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
};

async function makeFolder(dir: string): Promise<void> {
  const highest = await mkdir(dir, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  if (highest === undefined) return;
  // A new folder survives a power cut once the folder above it is synced.
  for (let made = resolve(dir); ; made = dirname(made)) {
    await syncFolder(dirname(made));
    if (made === resolve(highest)) return;
  }
}

async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file. After a crash at any time, the path holds the old file or the whole new one. */
export const writeText = (path: string, text: string, disk: Disk = nodeDisk): Promise<void> =>
  writeBytes(path, [Buffer.from(text, 'utf8')], disk);

/** As {@link writeText}. */
export async function writeBytes(
  path: string,
  blocks: AsyncIterable<Buffer> | Iterable<Buffer>,
  disk: Disk = nodeDisk,
): Promise<void> {
  const dir = dirname(path);
  const draft = join(dir, `.${basename(path)}.${randomUUID()}.tmp`);
  await disk.makeFolder(dir);
  try {
    const file = await disk.create(draft);
    try {
      for await (const block of blocks) await file.append(block);
      await file.sync();
    } finally {
      await file.close();
    }
    await disk.rename(draft, path);
  } catch (cause) {
    await disk.remove(draft);
    throw cause;
  }
  await disk.syncFolder(dir);
}
