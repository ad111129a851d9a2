import { BursarError } from '../errors/bursar-error.ts';

/** Characters of a batch id. */
export const BATCH_ID_LENGTH_MAX = 64;

/** The id of a batch names a folder and a workflow: it can lead nowhere else. */
export const BATCH_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const isBatchId = (text: string): boolean => BATCH_ID.test(text);

/** Checks the id of a batch. Throws BATCH_ID_INVALID. */
export function readBatchId(text: string): string {
  if (!isBatchId(text)) throw new BursarError('BATCH_ID_INVALID', { batchId: text });
  return text;
}
