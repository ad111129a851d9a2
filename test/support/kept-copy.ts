import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import type { Files } from '../../src/files/index.ts';

/** Keeps a copy of a small file, as a submit does, and returns its hash. */
export async function keepCopy(files: Files, path: string): Promise<string> {
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  await files.put(sha256, createReadStream(path));
  return sha256;
}
