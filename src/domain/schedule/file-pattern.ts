import { BursarError } from '../errors/bursar-error.ts';

/** The part of the nominal time, `2026-11-30T09:00`, that a placeholder stands for. */
const PLACEHOLDERS: Readonly<Record<string, readonly [from: number, to: number]>> = {
  '{date}': [0, 10],
  '{yyyy}': [0, 4],
  '{MM}': [5, 7],
  '{dd}': [8, 10],
  '{HH}': [11, 13],
  '{mm}': [14, 16],
};

const PLACEHOLDER = /\{(?:date|yyyy|MM|dd|HH|mm)\}/g;
const PATTERN_LENGTH_MAX = 200;
/** Names of files stand in reports, notifications and terminals. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Checks the pattern of a schedule's file: a path below the folder of scheduled files. Throws FILE_PATTERN_INVALID for
 * a path that could lead out of it, and for a name that no payout file can have.
 */
export function checkFilePattern(pattern: string): string {
  const refuse = (problem: string): never => {
    throw new BursarError('FILE_PATTERN_INVALID', { pattern, problem });
  };
  if (pattern.length > PATTERN_LENGTH_MAX)
    refuse(`it is longer than ${PATTERN_LENGTH_MAX} characters`);
  if (UNPRINTABLE.test(pattern) || pattern.includes('\\'))
    refuse('it has a character that no such path has');
  if (pattern.startsWith('/') || /^[A-Za-z]:/.test(pattern) || pattern.startsWith('~')) {
    refuse('it must be relative to the folder of scheduled files');
  }
  const parts = pattern.split('/');
  if (parts.some((part) => ['', '.', '..'].includes(part.trim()))) {
    refuse('it must not lead out of the folder of scheduled files, nor have empty parts');
  }
  if (parts.slice(0, -1).some((part) => part.includes('*'))) {
    refuse('* may only stand in the name of the file, not in a folder');
  }
  if (/[{}]/.test(pattern.replaceAll(PLACEHOLDER, ''))) {
    refuse(`it has a brace that is none of ${Object.keys(PLACEHOLDERS).join(' ')}`);
  }
  if (!/\.csv(\.gz)?$/i.test(pattern)) refuse('it must end with .csv or .csv.gz');
  return pattern;
}

/** The place of a run's file: folders, and either its name or a test for its name. */
export type FilePlace = Readonly<{
  folders: readonly string[];
  name: string;
  /** null when the name is complete. */
  matches: ((name: string) => boolean) | null;
}>;

/** The pattern of one run, with its date in it. */
export function filePlaceOf(pattern: string, nominal: string): FilePlace {
  const parts = patternOf(pattern, nominal).split('/');
  const name = parts.at(-1) ?? '';
  const folders = parts.slice(0, -1);
  if (!name.includes('*')) return { folders, name, matches: null };
  const pieces = name.split('*');
  const isOdd = (found: string): boolean =>
    UNPRINTABLE.test(found) || (found.startsWith('.') && !name.startsWith('.'));
  return { folders, name, matches: (found) => !isOdd(found) && hasPieces(found, pieces) };
}

/** Whether a name is made of the pieces, in order, with anything between them. Takes no longer for hostile names. */
function hasPieces(name: string, pieces: readonly string[]): boolean {
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}

/** A pattern with the date of a run in it, as people read it. */
export const patternOf = (pattern: string, nominal: string): string =>
  pattern.replaceAll(PLACEHOLDER, (placeholder) => {
    const [from, to] = PLACEHOLDERS[placeholder] ?? [0, 0];
    return nominal.slice(from, to);
  });
