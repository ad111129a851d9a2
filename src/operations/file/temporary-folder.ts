import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** Runs `use` with a folder below `parent` that is removed afterwards. Throws TEMPORARY_UNUSABLE when there cannot be one. */
export async function withTemporaryFolder<Result>(
  parent: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(parent, 'bursar-')).catch(refuserOf(parent));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Turns an error of the system at a write below the folder into TEMPORARY_UNUSABLE, or throws it again. */
export const refuserOf =
  (folder: string) =>
  (cause: unknown): never => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BursarError('TEMPORARY_UNUSABLE', { folder, reason }, { cause });
  };
