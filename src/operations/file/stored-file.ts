import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { FILE_SIZE_BYTES_MAX } from '../../ingest/limits.ts';
import { loadSettings } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import { unwritable } from '../text/unwritable.ts';
import type { Source } from './source.ts';
import { refuserOf, withTemporaryFolder } from './temporary-folder.ts';

/**
 * A file that was uploaded to where the workers read it. `name`: that in batch and report, without folders. `shownName`: the name in
 * sentences; missing: the same.
 */
export type StoredFile = Readonly<{ sha256: string; name: string; shownName?: string }>;

export type UploadedFile = StoredFile & Readonly<{ schema: 'bursar.file/v1'; sizeBytes: number }>;

/** Characters of a name. */
const NAME_LENGTH_MAX = 200;

/** The last part of a path, without characters that no name needs. */
export const plainFileName = (name: string): string => {
  const plain = basename(name.replaceAll('\\', '/')).replaceAll(/\p{C}/gu, '');
  return plain.slice(0, NAME_LENGTH_MAX) || 'file.csv';
};

/**
 * Keeps the bytes of a file where the workers read it, under their SHA-256. The file is not read yet, and housekeeping removes it when no
 * batch of it is submitted. @throws FILE_EMPTY,
 * FILE_TOO_LARGE, and the errors of `blob.url`
 */
export async function uploadFile(
  { name, bytes }: Readonly<{ name: string; bytes: Readable }>,
  context: OperationContext,
): Promise<UploadedFile> {
  const settings = await loadSettings(context);
  const { temporaryDir, interrupted } = context;
  return withTemporaryFolder(temporaryDir, async (folder) => {
    const path = join(folder, 'upload');
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const counted = async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        sizeBytes += part.length;
        if (sizeBytes > FILE_SIZE_BYTES_MAX) throw tooLarge(name, sizeBytes);
        hash.update(part);
        yield part;
      }
    };
    await pipeline(bytes, counted, createWriteStream(path, { mode: 0o600 }), {
      signal: interrupted,
    });
    if (sizeBytes === 0) throw new BursarError('FILE_EMPTY', { file: plainFileName(name) });
    const sha256 = hash.digest('hex');
    const blobs = await context.open.blobs(settings);
    await blobs.putUpload(sha256, createReadStream(path)).catch((error: unknown) => {
      throw unwritable('blob.url', error);
    });
    return { schema: 'bursar.file/v1', sha256, name: plainFileName(name), sizeBytes };
  });
}

const tooLarge = (file: string, sizeBytes: number): BursarError =>
  new BursarError('FILE_TOO_LARGE', { file, sizeBytes, maxBytes: FILE_SIZE_BYTES_MAX });

/** Runs `use` with a copy of an uploaded file, which is removed afterwards. @throws BLOB_MISSING, BLOB_DAMAGED */
export async function withStoredFile<Result>(
  { sha256, name, shownName = name }: StoredFile,
  context: OperationContext,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  const settings = await loadSettings(context);
  const blobs = await context.open.blobs(settings);
  return withTemporaryFolder(context.temporaryDir, async (folder) => {
    const path = join(folder, 'file');
    const copy = await blobs.open(sha256);
    await blobs.uploads.renew(sha256);
    try {
      await pipeline(copy.blocks, createWriteStream(path, { mode: 0o600 })).catch(
        refuserUnlessOurs(context.temporaryDir),
      );
    } finally {
      await copy.close();
    }
    return use({ fileName: name, shownName, path, followLinks: false });
  });
}

/** Errors of the copy keep their code; those of writing name the temporary folder. */
const refuserUnlessOurs =
  (folder: string) =>
  (error: unknown): never => {
    if (error instanceof BursarError) throw error;
    return refuserOf(folder)(error);
  };
