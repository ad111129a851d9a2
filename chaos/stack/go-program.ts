import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildWithGo, type GoProgram } from '../../src/local-stack/temporal-cli/build.ts';
import type { TemporalGround } from './temporal-servers.ts';

/** A program, its version, and where it lies below the cache of the user. */
export type CachedProgram = GoProgram & Readonly<{ version: string; path: string }>;

/** Finds a program in the user's cache. Go builds it when it is missing. */
export async function findGoProgram(
  { name, module, version, path }: CachedProgram,
  { env, say }: TemporalGround,
): Promise<string> {
  const target = join(homedir(), '.cache/bursar', path);
  if (existsSync(target)) return target;
  await buildWithGo({ name, module })(target, { env, version, say });
  return target;
}
