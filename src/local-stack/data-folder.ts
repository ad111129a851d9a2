import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Lock, lockFolder } from './lock.ts';

/** `.bursar` below a working folder: everything that a local stack keeps. */
export type DataFolder = Lock &
  Readonly<{ path: string; dbFile: string; logOf(name: string): string }>;

/** Makes the folder if need be, and takes it for this process. Throws STACK_RUNNING when a stack works in it. */
export function takeDataFolder(cwd: string): DataFolder {
  const path = join(cwd, '.bursar');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return {
    ...lockFolder(path),
    path,
    dbFile: join(path, 'temporal.db'),
    logOf: (name) => join(path, 'logs', `${name}.log`),
  };
}
