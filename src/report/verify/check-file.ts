import { type BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { checkCopy, type Files } from '../../files/index.ts';
import type { Problems } from './problems.ts';

/** The copies of files, as far as this room reads them. */
export type StoredCopies = Readonly<{ open: Files['open'] }>;

/** Checks the stored copy of the submitted file. Returns whether it is unchanged. `mayBeGone`: a prune may have removed it. */
export async function checkFile(
  { blobs, mayBeGone }: Readonly<{ blobs: StoredCopies; mayBeGone: boolean }>,
  sha256: string,
  problems: Problems,
): Promise<boolean> {
  try {
    await checkCopy(await blobs.open(sha256));
    return true;
  } catch (error) {
    if (isDamaged(error)) {
      problems.add('FILE_COPY_CHANGED', { sha256, found: error.facts.found });
    } else if (isBursarError(error) && error.code === 'BLOB_MISSING') {
      if (!mayBeGone) problems.add('FILE_COPY_GONE', { sha256 });
    } else throw error;
    return false;
  }
}

const isDamaged = (error: unknown): error is BursarError<'BLOB_DAMAGED'> =>
  isBursarError(error) && error.code === 'BLOB_DAMAGED';
