import { basename } from 'node:path';
import { BursarError } from '../../domain/errors/bursar-error.ts';

const BATCH_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const ID_LENGTH_MAX = 64;
/** Hex digits of the file's hash at the end of an id that nobody chose. */
const HASH_DIGITS = 8;

export const isBatchId = (text: string): boolean => BATCH_ID.test(text);

/** Checks the id of a batch. Throws BATCH_ID_INVALID. */
export function readBatchId(text: string): string {
  if (!isBatchId(text)) throw new BursarError('BATCH_ID_INVALID', { batchId: text });
  return text;
}

/** The id of a batch that was given none: `<file stem>-<first 8 hex digits of the file's SHA-256>`. */
export function derivedBatchId(fileName: string, sha256: string): string {
  const hash = sha256.slice(0, HASH_DIGITS);
  const stem = basename(fileName)
    .replace(/(\.csv)?(\.gz)?$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, ID_LENGTH_MAX - HASH_DIGITS - 1);
  return `${stem === '' ? 'batch' : stem}-${hash}`;
}
