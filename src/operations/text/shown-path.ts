import { isAbsolute, relative } from 'node:path';

/** A path as people read it best: short below the working folder, whole elsewhere. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}
