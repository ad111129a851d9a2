#!/usr/bin/env node
import { lstatSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { PRIVATE_UMASK } from './domain/files/private-modes.ts';

/** The folder of compiled code, after the XDG rules; undefined for a user without a home. */
function cacheFolder(): string | undefined {
  try {
    const named = process.env['XDG_CACHE_HOME'] ?? '';
    const folder = join(
      isAbsolute(named) ? named : join(homedir(), '.cache'),
      'bursar',
      'compile-cache',
    );
    return isAbsolute(folder) && isOurs(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a folder that exists is of this user, and no other user may write it. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return true;
  const isMine = found.uid === process.getuid?.();
  return found.isDirectory() && isMine && (found.mode & 0o022) === 0;
}

// Only this user may write code that the next command runs.
process.umask(PRIVATE_UMASK);
const folder = cacheFolder();
// Node.js 20 has no cache. Newer ones go on without it where the folder cannot be written.
if ('enableCompileCache' in module && folder !== undefined) module.enableCompileCache(folder);
await import('./starter.ts');
