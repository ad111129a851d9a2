import { statSync } from 'node:fs';

/** What tells a file from another one of the same name; `gone` where there is none. Two marks are compared. */
export function fileMark(file: string | undefined): string {
  if (file === undefined) return 'in memory';
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 'gone' : `${found.dev}:${found.ino}`;
}
