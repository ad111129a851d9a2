import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { BursarError } from '../domain/errors/bursar-error.ts';

/** A copy to import. Its name is its hash, so it cannot change; the reader of its blocks compares them with the hash. */
export type StoredCopy = Readonly<{ name: string; open(): Promise<OpenFile> }>;

/** A file to import. `name` is for people, `path` for the program. */
export type IngestSource = NamedFile | StoredCopy;

/** A file of a person, which may change during the import. */
type NamedFile = Readonly<{
  name: string;
  path: string;
  /**
   * Allows a symbolic link. Default: no, because another user could link to a file of their own.
   */
  followLinks?: boolean;
}>;

/** An open file that is read once, from start to end. */
export type OpenFile = Readonly<{
  sizeBytes: number;
  /** The bytes in order. At its end it throws FILE_CHANGED when the file has changed meanwhile. */
  blocks: AsyncIterable<Buffer>;
  bytesRead(): number;
  /** Returns the SHA-256 of the file, in lowercase hex. Call it once, after the last block. */
  sha256(): string;
  close(): Promise<void>;
}>;

/**
 * Opens a stored copy, or a regular file.
 * @throws the errors of the copy, FILE_NOT_FOUND, FILE_IS_LINK, FILE_NOT_REGULAR, FILE_UNREADABLE, FILE_EMPTY or
 * FILE_TOO_LARGE.
 */
export async function openFile(
  source: IngestSource,
  limits: Readonly<{ readBytes: number; sizeBytesMax: number }>,
): Promise<OpenFile> {
  return 'open' in source ? openCopy(source, limits.sizeBytesMax) : openNamedFile(source, limits);
}

async function openCopy(
  { name, open: openIt }: StoredCopy,
  sizeBytesMax: number,
): Promise<OpenFile> {
  const copy = await openIt();
  try {
    assertSize(name, copy.sizeBytes, sizeBytesMax);
    return copy;
  } catch (error) {
    await copy.close();
    throw error;
  }
}

async function openNamedFile(
  source: NamedFile,
  limits: Readonly<{ readBytes: number; sizeBytesMax: number }>,
): Promise<OpenFile> {
  const { name } = source;
  const handle = await openHandle(source);
  try {
    const before = await handle.stat({ bigint: true });
    assertUsable(name, before, limits.sizeBytesMax);
    return reader({ name, handle, before, readBytes: limits.readBytes });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

type FileHandleInUse = Readonly<{
  name: string;
  handle: FileHandle;
  before: BigIntStats;
  readBytes: number;
}>;

function reader({ name, handle, before, readBytes }: FileHandleInUse): OpenFile {
  const sizeBytes = Number(before.size);
  const hash = createHash('sha256');
  let bytesRead = 0;

  async function* blocks(): AsyncGenerator<Buffer> {
    while (bytesRead <= sizeBytes) {
      const block = await handle.read(Buffer.allocUnsafe(readBytes), 0, readBytes, null);
      if (block.bytesRead === 0) break;
      const bytes = block.buffer.subarray(0, block.bytesRead);
      bytesRead += bytes.length;
      hash.update(bytes);
      yield bytes;
    }
    const after = await handle.stat({ bigint: true });
    const same = after.size === before.size && after.mtimeNs === before.mtimeNs;
    if (!same || bytesRead !== sizeBytes) throw new BursarError('FILE_CHANGED', { file: name });
  }

  return {
    sizeBytes,
    blocks: blocks(),
    bytesRead: () => bytesRead,
    sha256: () => hash.digest('hex'),
    close: () => handle.close(),
  };
}

/** Opens the file without blocking. Opening a named pipe would otherwise wait for a writer. */
async function openHandle({ name: file, path, followLinks }: NamedFile): Promise<FileHandle> {
  const links = followLinks === true ? 0 : constants.O_NOFOLLOW;
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | links);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    if (reason === 'ENOENT' || reason === 'ENOTDIR') {
      throw new BursarError('FILE_NOT_FOUND', { file }, { cause });
    }
    if (reason === 'ELOOP' && followLinks !== true) {
      throw new BursarError('FILE_IS_LINK', { file }, { cause });
    }
    if (reason === 'ENXIO') {
      throw new BursarError('FILE_NOT_REGULAR', { file, kind: 'socket or device' }, { cause });
    }
    throw new BursarError('FILE_UNREADABLE', { file, reason }, { cause });
  }
}

function assertUsable(file: string, stats: BigIntStats, maxBytes: number): void {
  if (!stats.isFile()) throw new BursarError('FILE_NOT_REGULAR', { file, kind: kindOf(stats) });
  assertSize(file, Number(stats.size), maxBytes);
}

function assertSize(file: string, sizeBytes: number, maxBytes: number): void {
  if (sizeBytes === 0) throw new BursarError('FILE_EMPTY', { file });
  if (sizeBytes > maxBytes) throw new BursarError('FILE_TOO_LARGE', { file, sizeBytes, maxBytes });
}

function kindOf(stats: BigIntStats): string {
  if (stats.isDirectory()) return 'folder';
  if (stats.isFIFO()) return 'named pipe';
  return stats.isSocket() ? 'socket' : 'device';
}
