import { createHash, type Hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Disk, AppendedFile } from './disk.ts';

/** Characters that are collected before they go to the disk. */
const BLOCK_CHARS = 64 * 1024;

/** A draft's name until it is published; one that is found later is left over from a crash. */
const draftName = (name: string): string => `.${name}.${randomUUID()}.tmp`;
const DRAFT_NAME = /^\.[\w.-]+\.[0-9a-f-]{36}\.tmp$/;

/** A file in the making. It exists on disk only once something was added to it. */
export type Draft = Readonly<{ add(text: string): void }>;

/** A file and the SHA-256 of its bytes, lowercase hex. */
export type HashedFile = Readonly<{ name: string; sha256: string }>;

/** Files in the making in one folder. None has its own name before all are safe on the disk. */
export type Drafts = Readonly<{
  /** A new draft; its first addition comes after the header. */
  draft(name: string, header?: string): Draft;
  /** Whether enough was added that `flush` is worth a write. */
  isFull(): boolean;
  /** Hands what was added to the disk. */
  flush(): Promise<void>;
  /** The drafts to which something was added, and how often. */
  contents(): Array<Readonly<{ name: string; additions: number }>>;
  /** What the drafts hold so far; those without anything are left out. */
  hashes(): Promise<HashedFile[]>;
  /**
   * Gives the files their names, one after the other in the given order, and removes those of them
   * that have no draft. A crash in between leaves each file old or new, never half. Answers with
   * the names of the files written.
   */
  publish(order: readonly string[]): Promise<string[]>;
  /** Removes everything that was not published. */
  discard(): Promise<void>;
}>;

type Entry = {
  readonly name: string;
  readonly path: string;
  readonly hash: Hash;
  additions: number;
  text: string;
  file?: AppendedFile;
};

/**
 * Starts drafts in a folder, which is made if needed, and removes drafts that a crash left there:
 * all, or those of the files in `only`. Of two writers of the same files the first then fails,
 * instead of both mixing their reports.
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
  let pendingChars = 0;
  const used = (): Entry[] => entries.filter(({ additions }) => additions > 0);
  const flush = async (): Promise<void> => {
    for (const entry of entries) await flushEntry(disk, entry);
    pendingChars = 0;
  };
  return {
    draft(name, header = '') {
      const path = join(dir, draftName(name));
      const entry: Entry = { name, path, hash: createHash('sha256'), additions: 0, text: '' };
      entries.push(entry);
      return {
        add(text) {
          entry.text += entry.additions === 0 ? header + text : text;
          entry.additions += 1;
          pendingChars += text.length;
        },
      };
    },
    isFull: () => pendingChars >= BLOCK_CHARS,
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
      // The reason for discarding matters more than what cannot be removed: the next run does that.
      await Promise.allSettled(entries.map((entry) => discardEntry(disk, entry)));
    },
  };
}

async function flushEntry(disk: Disk, entry: Entry): Promise<void> {
  if (entry.text === '') return;
  entry.file ??= await disk.create(entry.path);
  await entry.file.append(entry.text);
  entry.hash.update(entry.text, 'utf8');
  entry.text = '';
}

async function finishEntry(entry: Entry): Promise<void> {
  await entry.file?.sync();
  await entry.file?.close();
}

type Naming = Readonly<{
  disk: Disk;
  dir: string;
  order: readonly string[];
  entries: readonly Entry[];
}>;

async function nameFiles({ disk, dir, order, entries }: Naming): Promise<string[]> {
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
