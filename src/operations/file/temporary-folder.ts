import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** Runs `use` with a folder below `parent` that is removed afterwards. Throws TEMPORARY_UNUSABLE when there cannot be one. */
export async function withTemporaryFolder<Result>(
  parent: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(parent, 'bursar-')).catch(refuserOf(parent));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file that is removed at the end of its bytes. */
export type TemporaryFile = Readonly<{ sizeBytes: number; bytes: Readable }>;

/** Opens the file of this name that `write` makes in a folder below `parent`. @throws TEMPORARY_UNUSABLE */
export async function openTemporaryFile(
  parent: string,
  name: string,
  write: (place: Readonly<{ dir: string; name: string }>) => Promise<void>,
): Promise<TemporaryFile> {
  const dir = await mkdtemp(join(parent, 'bursar-')).catch(refuserOf(parent));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    await write({ dir, name });
    const path = join(dir, name);
    const { size: sizeBytes } = await stat(path);
    const bytes = createReadStream(path);
    bytes.once('close', () => void remove());
    return { sizeBytes, bytes };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Turns an error of the system at a write below the folder into TEMPORARY_UNUSABLE, or throws it again. */
export const refuserOf =
  (folder: string) =>
  (cause: unknown): never => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BursarError('TEMPORARY_UNUSABLE', { folder, reason }, { cause });
  };
