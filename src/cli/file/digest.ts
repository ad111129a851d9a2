import { digestOf, planFacts } from '../../domain/plan/digest.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import { findingsOf } from '../../domain/plan/judge-file.ts';
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
  const findings = findingsOf(summary, options.skipInvalid);
  const batch = { account, batchId, generation: 0 };
  return digestOf(planFacts({ batch, summary, options, findings, chunks }));
}
