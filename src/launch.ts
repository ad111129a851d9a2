#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PRIVATE_UMASK } from './domain/files/private-modes.ts';

/** The folder of compiled code, after the XDG rules; undefined for a user without a home. */
function cacheFolder(): string | undefined {
  try {
    const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
    return join(caches, 'bursar', 'compile-cache');
  } catch {
    return undefined;
  }
}

// Only this user may write code that the next command runs.
process.umask(PRIVATE_UMASK);
const folder = cacheFolder();
// Node.js 20 has no cache. Newer ones go on without it where the folder cannot be written.
if ('enableCompileCache' in module && folder !== undefined) module.enableCompileCache(folder);
await import('./starter.ts');
