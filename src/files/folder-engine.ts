import { randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../domain/files/private-modes.ts';
import type { ObjectEngine, ObjectEntry, OpenObject, WriteMode } from './objects.ts';
import { orMissing } from './or-missing.ts';

/** Bytes in one read. A larger block does not fit the processor's cache. */
const READ_BYTES = 65_536;

/** Objects as files of a folder of this machine. Only the user that runs Bursar may read what it writes. */
export const folderEngine = (folder: string): ObjectEngine => ({
  write: (path, blocks, mode) => write(join(folder, path), blocks, mode),
  read: (path) => read(join(folder, path)),
  async sizeOf(path) {
    const found = await orMissing(stat(join(folder, path)));
    return found?.isFile() === true ? found.size : undefined;
  },
  remove: (path) => rm(join(folder, path), { force: true }),
  list: (prefix) => list(folder, prefix),
});

/** The bytes get their name when all of them are on the disk. */
async function write(
  path: string,
  blocks: AsyncIterable<Buffer>,
  mode: WriteMode,
): Promise<boolean> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  const temporary = join(parent, `.incoming-${randomUUID()}`);
  try {
    await writeDraft(temporary, blocks);
    if (mode === 'once') return await linkOnce(temporary, path);
    await rename(temporary, path);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeDraft(path: string, blocks: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    for await (const block of blocks) await writeAll(file, block);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, block: Buffer): Promise<void> {
  for (let done = 0; done < block.length; ) {
    done += (await file.write(block, done)).bytesWritten;
  }
}

/** Of two links to one name only the first is made. */
async function linkOnce(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function read(path: string): Promise<OpenObject | undefined> {
  const file = await orMissing(open(path, 'r'));
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (found.isFile()) {
      return { sizeBytes: found.size, blocks: blocksOf(file), close: () => file.close() };
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

async function* blocksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* list(folder: string, prefix: string): AsyncGenerator<ObjectEntry> {
  const names = (await orMissing(readdir(join(folder, prefix)))) ?? [];
  for (const name of names) {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const found = name.startsWith('.') ? undefined : await orMissing(stat(join(folder, path)));
    if (found?.isFile() !== true) continue;
    yield { path, sizeBytes: found.size, changedAtMs: found.mtimeMs };
  }
}
