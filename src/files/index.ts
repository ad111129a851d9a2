import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { type FolderPlace, type BucketPlace, filesPlaceOf } from '../domain/store/files-url.ts';
import { folderEngine } from './folder-engine.ts';
import { checkedCopy, type OpenCopy, OtherBytes, withHash } from './hashed.ts';
import type { ObjectEngine, ObjectEntry, OpenObject } from './objects.ts';
import { isSha256, refuseReadPath } from './paths.ts';
import { type Uploads, uploadsOn } from './uploads.ts';
import { publish, type PublishedFile, publishedHash } from './published.ts';

export type { OpenCopy } from './hashed.ts';
export type { PublishedFile } from './published.ts';

/** Files that several programs share: copies by their hash, and sets of files that never change. */
export interface Files {
  /** The address of the files. It holds no secret. */
  readonly url: string;
  /** Which copies were uploaded and not submitted. */
  readonly uploads: Uploads;
  /**
   * Keeps a copy of bytes under their SHA-256. The copy appears whole or not at all, and replaces a damaged one.
   * Returns `differs`, and keeps nothing, when the bytes have another hash. The copy is for a batch, and no upload any more.
   */
  put(sha256: string, blocks: AsyncIterable<Buffer>): Promise<'kept' | 'differs'>;
  /** As `put`, for bytes that no batch names yet: housekeeping removes them when none ever does. */
  putUpload(sha256: string, blocks: AsyncIterable<Buffer>): Promise<'kept' | 'differs'>;
  /** Whether there is a copy. Its bytes are not read. */
  has(sha256: string): Promise<boolean>;
  /** Removes the copy, and returns its size in bytes; undefined: there is none. The caller knows that no batch needs it. */
  remove(sha256: string): Promise<number | undefined>;
  /** @throws BLOB_MISSING. The blocks throw BLOB_DAMAGED after the last byte when the bytes have another hash. */
  open(sha256: string): Promise<OpenCopy>;
  /** @throws PUBLISHED_ALREADY when the prefix has other files, and FILES_PATH_REFUSED for a name. */
  publish(prefix: string, files: readonly PublishedFile[]): Promise<void>;
  /** Opens a published file. @throws PUBLISHED_MISSING. The blocks throw BLOB_DAMAGED as those of `open` do. */
  openPublished(prefix: string, name: string): Promise<OpenCopy>;
  /**
   * Removes files of a published prefix, at the end of their retention. Its manifest stays, so that the prefix is never taken by
   * other files.
   */
  removePublished(prefix: string, names: readonly string[]): Promise<void>;
  /** The files directly below a prefix, such as an inbox. */
  list(prefix: string): AsyncIterable<ObjectEntry>;
  /** Opens a file of a listing; undefined when it is gone. @throws FILES_PATH_REFUSED */
  read(path: string): Promise<OpenObject | undefined>;
}

/** Reads a copy to its end, which compares all its bytes with the hash, and closes it. Returns the hash. @throws BLOB_DAMAGED */
export async function checkCopy(copy: OpenCopy): Promise<string> {
  try {
    await finished(Readable.from(copy.blocks).resume());
    return copy.sha256();
  } finally {
    await copy.close();
  }
}

/**
 * The files of a `file:` or `s3:` address. Nothing is opened or made before the first call.
 * @throws ADDRESS_UNSERVED for any other address.
 * @example createFiles('s3://payouts/copies?region=eu-central-1')
 */
export function createFiles(url: string): Files {
  const place = filesPlaceOf(url);
  if (place === undefined) {
    const served = 'file:FOLDER and s3://BUCKET/PREFIX';
    throw new BursarError('ADDRESS_UNSERVED', { setting: 'blob.url', url, served });
  }
  return filesOn(engineOf(place, url), url);
}

const engineOf = (place: FolderPlace | BucketPlace, url: string): ObjectEngine =>
  place.kind === 'folder' ? folderEngine(place.folder) : loadedLater(() => loadBucket(place, url));

/** The SDK is loaded by the first call alone: it takes longer than most commands. */
async function loadBucket(place: BucketPlace, url: string): Promise<ObjectEngine> {
  const { bucketEngine } = await import('./bucket-engine.ts');
  return bucketEngine(place, url);
}

function loadedLater(load: () => Promise<ObjectEngine>): ObjectEngine {
  let loading: Promise<ObjectEngine> | undefined;
  const engine = (): Promise<ObjectEngine> => (loading ??= load());
  return {
    write: async (path, blocks, mode) => (await engine()).write(path, blocks, mode),
    read: async (path) => (await engine()).read(path),
    sizeOf: async (path) => (await engine()).sizeOf(path),
    remove: async (path) => (await engine()).remove(path),
    async *list(prefix) {
      yield* (await engine()).list(prefix);
    },
  };
}

/** The files of an engine. Rules of hashes and names are here, once for all engines. */
export const filesOn = (engine: ObjectEngine, url: string): Files => ({
  url,
  uploads: uploadsOn(engine),

  async put(sha256, blocks) {
    const outcome = await putOn(engine, sha256, blocks);
    if (outcome === 'kept') await uploadsOn(engine).unmark(sha256);
    return outcome;
  },

  async putUpload(sha256, blocks) {
    await uploadsOn(engine).mark(sha256);
    return putOn(engine, sha256, blocks);
  },

  has: async (sha256) => isSha256(sha256) && (await engine.sizeOf(sha256)) !== undefined,

  async remove(sha256) {
    const sizeBytes = isSha256(sha256) ? await engine.sizeOf(sha256) : undefined;
    if (sizeBytes !== undefined) await engine.remove(sha256);
    // Last, so that a removal that is cut off is found by the mark.
    await uploadsOn(engine).unmark(sha256);
    return sizeBytes;
  },

  async open(sha256) {
    const object = isSha256(sha256) ? await engine.read(sha256) : undefined;
    if (object === undefined) throw new BursarError('BLOB_MISSING', { sha256, url });
    return checkedCopy(sha256, object);
  },

  publish: (prefix, files) => publish(engine, prefix, files),

  async openPublished(prefix, name) {
    refuseReadPath(`${prefix}/${name}`);
    const sha256 = await publishedHash(engine, prefix, name);
    const object = sha256 === undefined ? undefined : await engine.read(`${prefix}/${name}`);
    if (sha256 === undefined || object === undefined) {
      throw new BursarError('PUBLISHED_MISSING', { path: `${prefix}/${name}`, url });
    }
    return checkedCopy(sha256, object);
  },

  async removePublished(prefix, names) {
    for (const name of names) {
      refuseReadPath(`${prefix}/${name}`);
      await engine.remove(`${prefix}/${name}`);
    }
  },

  async *list(prefix) {
    if (prefix !== '') refuseReadPath(prefix);
    for await (const entry of engine.list(prefix)) yield entry;
  },

  async read(path) {
    refuseReadPath(path);
    return engine.read(path);
  },
});

async function putOn(
  engine: ObjectEngine,
  sha256: string,
  blocks: AsyncIterable<Buffer>,
): Promise<'kept' | 'differs'> {
  if (!isSha256(sha256)) throw new BursarError('FILES_PATH_REFUSED', { path: sha256 });
  try {
    await engine.write(sha256, withHash(sha256, blocks), 'always');
    return 'kept';
  } catch (error) {
    if (error instanceof OtherBytes) return 'differs';
    throw error;
  }
}
