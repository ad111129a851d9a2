import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unwritable } from '../../operations/text/unwritable.ts';

/** Where a demo keeps everything, below the working folder. */
export const demoFolder = (cwd: string): string => join(cwd, '.bursar', 'demo');

/**
 * Empties the demo's folder, so that every demo starts with the same accounts and no batches. Throws STACK_RUNNING
 * while another demo works in it.
 */
export async function wipeDemoFolder(folder: string): Promise<void> {
  const data = join(folder, '.bursar');
  if (existsSync(data)) {
    const { lockFolder } = await import('../../local-stack/lock.ts');
    lockFolder(data).release();
  }
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}
