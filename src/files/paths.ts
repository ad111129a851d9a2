import { BursarError } from '../domain/errors/bursar-error.ts';

/** Copies are named by their hash alone, so that no name leads out of their place. */
const SHA256 = /^[0-9a-f]{64}$/;

export const isSha256 = (text: string): boolean => SHA256.test(text);

/** Names that Bursar writes. Every operating system and every object store takes them as they are. */
const WRITTEN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Longest path, in characters. Object stores take 1,024 bytes. */
const PATH_LENGTH_MAX = 250;
/** Characters that lead elsewhere, or that a person cannot see. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Cs}\\]/u;

/** Refuses a name that Bursar may not give to a file, or to a part of a prefix. Throws FILES_PATH_REFUSED. */
export function refuseWrittenPath(path: string): void {
  if (path.length <= PATH_LENGTH_MAX && path.split('/').every((name) => WRITTEN_NAME.test(name))) {
    return;
  }
  throw new BursarError('FILES_PATH_REFUSED', { path });
}

/** Refuses a path that leads elsewhere. People name the files of an inbox, so spaces and letters of all scripts are fine. */
export function refuseReadPath(path: string): void {
  const isPlain = (part: string): boolean => part !== '' && !part.startsWith('.');
  if (path.length <= PATH_LENGTH_MAX && !REFUSED.test(path) && path.split('/').every(isPlain)) {
    return;
  }
  throw new BursarError('FILES_PATH_REFUSED', { path });
}
