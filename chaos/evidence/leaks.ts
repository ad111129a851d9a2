import { createReadStream, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createSearch, formsOf } from './search.ts';

export type Hunt = Readonly<{
  folder: string;
  /** What is looked through, as beginnings of paths below it. */
  places: readonly string[];
  /** What must not be there, by what it is. */
  canaries: Readonly<Record<string, string>>;
}>;

/** How much of a file is in memory at a time: what Temporal keeps can be larger than any buffer. */
const READ_BYTES = 1024 * 1024;

/**
 * Where a canary was found, as `file: what it is`; it may be written in any usual form. A place that is not there was not looked
 * through, and is told as well.
 */
export async function findLeaks({ folder, places, canaries }: Hunt): Promise<string[]> {
  const wanted = Object.entries(canaries).flatMap(([name, value]) =>
    formsOf(value).map((bytes) => ({ name, bytes })),
  );
  const search = createSearch(wanted);
  const files = filesBelow(folder);
  const leaks: string[] = [];
  for (const place of places) {
    const there = files.filter((file) => file.startsWith(place));
    if (there.length === 0) leaks.push(`${place}: there is nothing to look through`);
    for (const file of there) {
      const pieces = createReadStream(join(folder, file), { highWaterMark: READ_BYTES });
      const found = await search(pieces).catch(nothingIfGone);
      for (const name of found) leaks.push(`${file}: ${name}`);
    }
  }
  return leaks;
}

/** A database that was just closed deletes the files that it needs while it is open. */
function nothingIfGone(error: NodeJS.ErrnoException): ReadonlySet<string> {
  if (error.code === 'ENOENT') return new Set();
  throw error;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
