import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { type Disk, nodeDisk } from './disk.ts';

/** Writes a file. After a crash at any time, the path holds the old file or the whole new one. */
export async function writeText(path: string, text: string, disk: Disk = nodeDisk): Promise<void> {
  const dir = dirname(path);
  const draft = join(dir, `.${basename(path)}.${randomUUID()}.tmp`);
  await disk.makeFolder(dir);
  try {
    const file = await disk.create(draft);
    try {
      await file.append(text);
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
