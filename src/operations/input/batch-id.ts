import { basename } from 'node:path';
import { BATCH_ID_LENGTH_MAX } from '../../domain/batch/batch-id.ts';

/** Hex digits of the file's hash at the end of a generated id. */
const HASH_DIGITS = 8;

/** The id of a batch that was given none: `<file stem>-<first 8 hex digits of the file's SHA-256>`. */
export function derivedBatchId(fileName: string, sha256: string): string {
  const hash = sha256.slice(0, HASH_DIGITS);
  const stem = basename(fileName)
    .replace(/(\.csv)?(\.gz)?$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, BATCH_ID_LENGTH_MAX - HASH_DIGITS - 1);
  return `${stem === '' ? 'batch' : stem}-${hash}`;
}
