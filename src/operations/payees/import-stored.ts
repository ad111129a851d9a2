import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { type StoredFile, withStoredFile } from '../file/stored-file.ts';
import { importPayees, type PayeeImport } from './change-payees.ts';

/**
 * Imports an uploaded file of payees, and removes its copy: names of people do not stay where no prune finds them. A file
 * that was imported has no amounts, so no batch needs the copy. @throws BLOB_MISSING, and the errors of `importPayees`
 */
export async function importStored(
  sources: Sources,
  file: StoredFile,
  context: OperationContext,
): Promise<PayeeImport> {
  const done = await withStoredFile(file, context, ({ shownName, path }) =>
    importPayees(sources, { name: shownName, path }, context),
  );
  const blobs = await context.open.blobs(sources.settings);
  if (!(await sources.store.retention.needsCopy(file.sha256))) await blobs.remove(file.sha256);
  return done;
}
