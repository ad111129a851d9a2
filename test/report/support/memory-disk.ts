import { basename } from 'node:path';
import type { Disk } from '../../../src/report/disk.ts';

/** A folder in memory, with a list of all file operations in order. */
export type MemoryDisk = Disk &
  Readonly<{
    /** The current files by name. */
    files: Map<string, string>;
    /**
     * `create`, `append`, `sync`, `close`, `rename`, `remove` or `sync folder`, with the name of
     * the file.
     */
    steps: string[];
  }>;

/** Makes a disk whose step `failAt` (counted from 0) fails. */
export function createMemoryDisk(
  files: ReadonlyMap<string, string> = new Map(),
  failAt = Number.POSITIVE_INFINITY,
): MemoryDisk {
  const held = new Map(files);
  const steps: string[] = [];
  const step = (what: string, path: string): string => {
    const name = basename(path);
    steps.push(`${what} ${withoutId(name)}`);
    if (steps.length - 1 === failAt) throw new Error(`the disk fails at step ${failAt}`);
    return name;
  };
  return {
    files: held,
    steps,
    makeFolder: async () => {},
    list: async () => [...held.keys()],
    async create(path) {
      const name = step('create', path);
      if (held.has(name)) throw new Error(`${name} exists`);
      held.set(name, '');
      return {
        async append(bytes) {
          const text = Buffer.from(bytes).toString('utf8');
          // A failed write may have written a part.
          held.set(name, `${held.get(name)}${text.slice(0, text.length / 2)}`);
          step('append', path);
          held.set(name, `${held.get(name)}${text.slice(text.length / 2)}`);
        },
        sync: async () => void step('sync', path),
        close: async () => void step('close', path),
      };
    },
    async rename(from, to) {
      step('rename', to);
      held.set(basename(to), held.get(basename(from)) ?? '');
      held.delete(basename(from));
    },
    remove: async (path) => void held.delete(step('remove', path)),
    syncFolder: async () => void step('sync', 'folder'),
  };
}

/** Returns the name of a draft without its random part. */
const withoutId = (name: string): string => name.replace(/\.[0-9a-f-]{36}\.tmp$/, ' draft');
