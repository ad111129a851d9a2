import { createHash } from 'node:crypto';
import { opendir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type FilePlace, filePlaceOf, patternOf } from '../../domain/schedule/file-pattern.ts';
import type { Files } from '../../files/index.ts';
import type { IngestSource, OpenFile } from '../../ingest/open-file.ts';

/** The file of a run: a file of a folder, or an object of a bucket. */
export type FoundFile = IngestSource;

export type FileWish = Readonly<{
  scheduleId: string;
  folder: string;
  /** The files of `folder` where it is a prefix of a bucket; null: a folder. */
  bucket: Files | null;
  pattern: string;
  nominal: string;
}>;

/** Names that are shown when several files match. */
const NAMES_TOLD = 5;

/**
 * Finds the one file of a run's pattern. Links are followed as long as they stay in the folder. Throws
 * SCHEDULE_FILE_MISSING, SCHEDULE_FILE_SEVERAL, SCHEDULE_FILE_OUTSIDE, FILE_UNREADABLE; and of a bucket FILES_UNAVAILABLE,
 * FILES_PATH_REFUSED.
 */
export async function findScheduledFile(wish: FileWish): Promise<FoundFile> {
  const { scheduleId, folder, bucket, pattern, nominal } = wish;
  const place = filePlaceOf(pattern, nominal);
  const about = { scheduleId, nominal, file: patternOf(pattern, nominal), folder };
  if (bucket !== null) return findObject(bucket, place, about);
  const dir = join(folder, ...place.folders);
  const names = place.matches === null ? [place.name] : await namesIn(dir, place.matches, about);
  const name = onlyOne(names, about);
  const root = await realPathOf(folder, about);
  const path = await realPathOf(join(dir, name), about);
  if (!isInside(root, path)) throw new BursarError('SCHEDULE_FILE_OUTSIDE', about);
  return { name, path };
}

function onlyOne(names: string[], about: About): string {
  const [name, ...others] = names;
  if (name === undefined) throw new BursarError('SCHEDULE_FILE_MISSING', about);
  if (others.length === 0) return name;
  const first = names.sort().slice(0, NAMES_TOLD).join(', ');
  const more = names.length > NAMES_TOLD ? ` and ${names.length - NAMES_TOLD} more` : '';
  throw new BursarError('SCHEDULE_FILE_SEVERAL', { ...about, names: `${first}${more}` });
}

/** An object appears whole, so it is never one that is still being written. */
async function findObject(bucket: Files, place: FilePlace, about: About): Promise<FoundFile> {
  const { folders, matches } = place;
  const names: string[] = [];
  if (matches === null) names.push(place.name);
  else {
    for await (const { path } of bucket.list(folders.join('/'))) {
      const found = path.slice(path.lastIndexOf('/') + 1);
      if (matches(found)) names.push(found);
    }
  }
  const name = onlyOne(names, about);
  return { name, open: () => openObject(bucket, [...folders, name].join('/'), about) };
}

async function openObject(bucket: Files, path: string, about: About): Promise<OpenFile> {
  const object = await bucket.read(path);
  if (object === undefined) throw new BursarError('SCHEDULE_FILE_MISSING', about);
  const { sizeBytes, blocks, close } = object;
  const hash = createHash('sha256');
  let bytesRead = 0;
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const block of blocks) {
      bytesRead += block.length;
      hash.update(block);
      yield block;
    }
  }
  return {
    sizeBytes,
    blocks: hashed(),
    bytesRead: () => bytesRead,
    sha256: () => hash.digest('hex'),
    close,
  };
}

type About = Readonly<{ scheduleId: string; nominal: string; file: string; folder: string }>;

async function namesIn(
  dir: string,
  matches: (name: string) => boolean,
  about: About,
): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(dir)) if (matches(name)) names.push(name);
  } catch (cause) {
    throw told(cause, about);
  }
  return names;
}

async function realPathOf(path: string, about: About): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw told(cause, about);
  }
}

function told(cause: unknown, about: About): BursarError {
  const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  return reason === 'ENOENT' || reason === 'ENOTDIR'
    ? new BursarError('SCHEDULE_FILE_MISSING', about, { cause })
    : new BursarError('FILE_UNREADABLE', { file: about.file, reason }, { cause });
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
