import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import type { BlobStore } from '../../store/rows/blobs.ts';
import type { Problems } from './problems.ts';

/** The store of files, as far as this room reads it. */
export type BlobPaths = Readonly<{ path: BlobStore['path'] }>;

/** Checks the stored copy of the submitted file. Returns whether it is unchanged. */
export async function checkFile(
  blobs: BlobPaths,
  sha256: string,
  problems: Problems,
): Promise<boolean> {
  try {
    const found = await hashOfFile(await blobs.path(sha256));
    if (found !== sha256) problems.add('FILE_COPY_CHANGED', { sha256, found });
    return found === sha256;
  } catch (error) {
    if (!isBursarError(error)) throw error;
    problems.add('FILE_COPY_GONE', { sha256 });
    return false;
  }
}

/** Returns the SHA-256 of a file in lowercase hex. Rejects with ENOENT when the file is missing. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
