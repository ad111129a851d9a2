import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import type { BlobStore } from '../../store/rows/blobs.ts';
import type { Problems } from './problems.ts';

/** Reads the copy of the submitted file. Answers with whether it is the file that was submitted. */
export async function checkFile(
  blobs: Pick<BlobStore, 'path'>,
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

/** SHA-256 of a file's bytes, lowercase hex. Rejects with ENOENT when there is none. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
