import { statSync } from 'node:fs';

/** A mark that differs between two files of the same name; `gone` without a file. Two marks are compared. */
export function fileMark(file: string | undefined): string {
  if (file === undefined) return 'in memory';
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 'gone' : `${found.dev}:${found.ino}`;
}
