import { createHash, type Hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Disk, WritableFile } from './disk.ts';

/** Bytes that are collected before a write to disk. */
const BLOCK_BYTES = 256 * 1024;
/** The most bytes that a character of a text takes in UTF-8. */
const BYTES_PER_CHAR_MAX = 3;
/** Bytes for which a draft has room at first. */
const FIRST_ROOM_BYTES = 16 * 1024;

/** The name of a draft until it is published. A draft from an earlier run is left from a crash. */
export const draftName = (name: string): string => `.${name}.${randomUUID()}.tmp`;
const DRAFT_NAME = /^\.[\w.-]+\.[0-9a-f-]{36}\.tmp$/;

/** A file in progress. It exists on disk only after the first addition. */
export type Draft = Readonly<{ add(text: string): void }>;

/** A file and the SHA-256 of its bytes, lowercase hex. */
export type HashedFile = Readonly<{ name: string; sha256: string }>;

/** The files in progress of one folder. They get their names after all of them are on disk. */
export type Drafts = Readonly<{
  /** Starts a draft. The header is written before the first addition. */
  draft(name: string, header?: string): Draft;
  /** Whether the collected text is long enough for a `flush`. */
  isFull(): boolean;
  /** Writes the collected text to disk. */
  flush(): Promise<void>;
  /** Returns the drafts with additions, and their number. */
  contents(): Array<Readonly<{ name: string; additions: number }>>;
  /** Returns the hashes of the drafts so far. Empty drafts are left out. */
  hashes(): Promise<HashedFile[]>;
  /**
   * Renames the drafts to their files in the given order. A file of `order` without a draft is
   * removed. A crash in between leaves each file old or new, never half.
   * Returns the names of the written files.
   */
  publish(order: readonly string[]): Promise<string[]>;
  /** Removes all drafts that are not published. */
  discard(): Promise<void>;
}>;

type Entry = {
  readonly name: string;
  readonly path: string;
  readonly hash: Hash;
  additions: number;
  /** Room for collected bytes. The first `size` bytes are collected. */
  room: Buffer;
  size: number;
  file?: WritableFile;
};

/**
 * Starts drafts in a folder, which is made if needed.
 * It first removes drafts that a crash left there: all, or those of the files in `only`.
 * When two processes write the same files, the first one fails then. Their files never mix.
 */
export async function startDrafts(
  disk: Disk,
  dir: string,
  only?: readonly string[],
): Promise<Drafts> {
  await disk.makeFolder(dir);
  const isLeftOver = (name: string): boolean =>
    DRAFT_NAME.test(name) && (only?.some((file) => name.startsWith(`.${file}.`)) ?? true);
  for (const name of await disk.list(dir)) {
    if (isLeftOver(name)) await disk.remove(join(dir, name));
  }
  const entries: Entry[] = [];
  let pendingBytes = 0;
  const used = (): Entry[] => entries.filter(({ additions }) => additions > 0);
  const flush = async (): Promise<void> => {
    for (const entry of entries) await flushEntry(disk, entry);
    pendingBytes = 0;
  };
  return {
    draft(name, header = '') {
      const entry = newEntry(name, join(dir, draftName(name)));
      entries.push(entry);
      return {
        add(text) {
          pendingBytes += collect(entry, entry.additions === 0 ? header + text : text);
          entry.additions += 1;
        },
      };
    },
    isFull: () => pendingBytes >= BLOCK_BYTES,
    flush,
    contents: () => used().map(({ name, additions }) => ({ name, additions })),
    async hashes() {
      await flush();
      return used().map(({ name, hash }) => ({ name, sha256: hash.copy().digest('hex') }));
    },
    async publish(order) {
      await flush();
      for (const entry of used()) await finishEntry(entry);
      const written = await nameFiles({ disk, dir, order, entries: used() });
      await disk.syncFolder(dir);
      return written;
    },
    async discard() {
      // The caller needs the first error. The next run removes drafts that cannot be removed now.
      await Promise.allSettled(entries.map((entry) => discardEntry(disk, entry)));
    },
  };
}

const newEntry = (name: string, path: string): Entry => ({
  name,
  path,
  hash: createHash('sha256'),
  additions: 0,
  room: Buffer.alloc(0),
  size: 0,
});

/**
 * Adds a text to the bytes of an entry, and returns their number.
 * Bytes are written at once: a long text of many small ones costs twice as much to encode.
 */
function collect(entry: Entry, text: string): number {
  const sizeMax = entry.size + text.length * BYTES_PER_CHAR_MAX;
  if (sizeMax > entry.room.length) {
    const wider = Buffer.allocUnsafe(Math.max(FIRST_ROOM_BYTES, 2 * sizeMax));
    entry.room.copy(wider, 0, 0, entry.size);
    entry.room = wider;
  }
  const bytes = entry.room.write(text, entry.size, 'utf8');
  entry.size += bytes;
  return bytes;
}

async function flushEntry(disk: Disk, entry: Entry): Promise<void> {
  if (entry.size === 0) return;
  const bytes = entry.room.subarray(0, entry.size);
  entry.size = 0;
  entry.file ??= await disk.create(entry.path);
  await entry.file.append(bytes);
  entry.hash.update(bytes);
}

async function finishEntry(entry: Entry): Promise<void> {
  await entry.file?.sync();
  await entry.file?.close();
}

type NamedEntries = Readonly<{
  disk: Disk;
  dir: string;
  order: readonly string[];
  entries: readonly Entry[];
}>;

async function nameFiles({ disk, dir, order, entries }: NamedEntries): Promise<string[]> {
  const written: string[] = [];
  for (const name of order) {
    const entry = entries.find((candidate) => candidate.name === name);
    if (entry === undefined) {
      await disk.remove(join(dir, name));
    } else {
      await disk.rename(entry.path, join(dir, name));
      written.push(name);
    }
  }
  return written;
}

async function discardEntry(disk: Disk, entry: Entry): Promise<void> {
  if (entry.file === undefined) return;
  await Promise.allSettled([entry.file.close()]);
  await disk.remove(entry.path);
}
