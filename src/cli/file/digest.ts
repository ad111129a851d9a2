import { digestOf } from '../../domain/plan/digest.ts';
import { idempotencyKeyOf } from '../../domain/sending/identity.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import { findingsOf } from './judge.ts';
import type { FileReading } from './read-file.ts';

type Planned = Readonly<{
  account: string | undefined;
  batchId: string;
  reading: FileReading;
  options: BatchOptions;
}>;

/**
 * The digest that a worker will find for the same file and choices. It differs only when the worker knows what the
 * file alone does not tell: that the same rows were submitted before (SAME_FILE_AGAIN). null when the account is not
 * known here, or when refused rows leave nothing to decide.
 */
export function planDigest({ account, batchId, reading, options }: Planned): string | null {
  const { summary, chunks } = reading;
  if (account === undefined || (summary.refusedRows > 0 && !options.skipInvalid)) return null;
  const generation = 0;
  return digestOf({
    account,
    batchId,
    generation,
    fileSha256: summary.fileSha256,
    contentSha256: summary.contentSha256,
    rows: summary.rows,
    refusedRows: summary.refusedRows,
    at: options.at,
    executionDate: options.executionDate,
    rowTag: options.rowTag,
    accepted: options.accept,
    findings: findingsOf(summary, options.skipInvalid),
    chunks: chunks.map((chunk) => ({
      ...chunk,
      idempotencyKey: idempotencyKeyOf({ account, batchId, chunk: chunk.chunk, generation }),
    })),
  });
}
