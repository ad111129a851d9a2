import { opendir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { filePlaceOf, patternOf } from '../../domain/schedule/file-pattern.ts';

/** The file of a run: its name, and the path of its bytes. */
export type FoundFile = Readonly<{ name: string; path: string }>;

export type FileWish = Readonly<{
  scheduleId: string;
  folder: string;
  pattern: string;
  nominal: string;
}>;

/** Names that are shown when several files match. */
const NAMES_TOLD = 5;

/**
 * Finds the one file of a run's pattern. Links are followed as long as they stay in the folder. Throws
 * SCHEDULE_FILE_MISSING, SCHEDULE_FILE_SEVERAL, SCHEDULE_FILE_OUTSIDE, FILE_UNREADABLE.
 */
export async function findScheduledFile({
  scheduleId,
  folder,
  pattern,
  nominal,
}: FileWish): Promise<FoundFile> {
  const place = filePlaceOf(pattern, nominal);
  const about = { scheduleId, nominal, file: patternOf(pattern, nominal), folder };
  const dir = join(folder, ...place.folders);
  const names = place.matches === null ? [place.name] : await namesIn(dir, place.matches, about);
  const [name, ...others] = names;
  if (name === undefined) throw new BursarError('SCHEDULE_FILE_MISSING', about);
  if (others.length > 0) {
    const first = names.sort().slice(0, NAMES_TOLD).join(', ');
    const more = names.length > NAMES_TOLD ? ` and ${names.length - NAMES_TOLD} more` : '';
    throw new BursarError('SCHEDULE_FILE_SEVERAL', { ...about, names: `${first}${more}` });
  }
  const root = await realPathOf(folder, about);
  const path = await realPathOf(join(dir, name), about);
  if (!isInside(root, path)) throw new BursarError('SCHEDULE_FILE_OUTSIDE', about);
  return { name, path };
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
