import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../../domain/files/private-modes.ts';
import { isBlobUrl } from '../../domain/store/store-url.ts';

/** Copies are named by this alone, so that no name leads out of their folder. */
const SHA256 = /^[0-9a-f]{64}$/;

/** A copied file: its hash is its name. */
export type Blob = Readonly<{ sha256: string; sizeBytes: number }>;

export type BlobStore = ReturnType<typeof createBlobStore>;

/** Copies of submitted files, by the SHA-256 of their bytes, in the folder of a `file:PATH` url. */
export function createBlobStore(url: string) {
  if (!isBlobUrl(url)) {
    throw new BursarError('ADDRESS_UNSERVED', { setting: 'blob.url', url, served: 'file:FOLDER' });
  }
  const folder = url.replace(/^file:(\/\/)?/, '');
  const pathOf = (sha256: string): string => join(folder, sha256);
  return {
    /** Copies a file or stream; the copy appears whole or not at all. */
    async put(source: Readable): Promise<Blob> {
      await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
      const temporary = join(folder, `.incoming-${randomUUID()}`);
      try {
        const blob = await copy(source, temporary);
        await rename(temporary, pathOf(blob.sha256));
        return blob;
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    putFile(path: string): Promise<Blob> {
      return this.put(createReadStream(path));
    },

    /** Where the bytes are. Throws BLOB_MISSING when this process cannot see them, and for a name that is no hash. */
    async path(sha256: string): Promise<string> {
      const path = pathOf(sha256);
      const found = SHA256.test(sha256) ? await stat(path).catch(() => undefined) : undefined;
      if (found === undefined) throw new BursarError('BLOB_MISSING', { sha256, url });
      return path;
    },
  };
}

async function copy(source: Readable, path: string): Promise<Blob> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await pipeline(
    source,
    async function* measure(bytes: AsyncIterable<Buffer>) {
      for await (const part of bytes) {
        hash.update(part);
        sizeBytes += part.length;
        yield part;
      }
    },
    createWriteStream(path, { mode: PRIVATE_FILE_MODE }),
  );
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}
