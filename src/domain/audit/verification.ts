import type { EndState } from '../batch/batch-state.ts';
import type { ErrorNote } from '../errors/bursar-error.ts';
import type { AuditMark } from '../report/report.ts';

/** An entry of the log that is kept elsewhere, and where. */
export type QuotedMark = AuditMark & Readonly<{ source: string }>;

/** A kind of checked things, and their number. */
export type Checked = Readonly<{ what: string; count: number }>;

/**
 * PROVEN: all records are as they were written. TAMPERED: some are not. OLDER: the log shows no fault, but the batch
 * began before the log covered all records, so that records outside the log prove nothing. NOT_APPROVED: the records
 * are as they were written, and the batch went on without an approval that its policy needs. PRUNED: everything that a prune
 * left is as it was written, and the log has the digests of the rest.
 */
export type VerificationResult = 'PROVEN' | 'PRUNED' | 'TAMPERED' | 'OLDER' | 'NOT_APPROVED';

/** The result of verifying one batch from its store and its files alone. */
export type Verification = Readonly<{
  schema: 'bursar.verification/v1';
  batchId: string;
  result: VerificationResult;
  /** null: the batch has not ended. */
  state: EndState | null;
  /** The newest entry about the batch. */
  head: AuditMark;
  /** Marks that were held against the log. */
  quoted: readonly QuotedMark[];
  checked: readonly Checked[];
  /** The parts that could not be checked, and why, in sentences. */
  unchecked: readonly string[];
  /** The first problems; all are counted. */
  problems: readonly ErrorNote[];
  problemCount: number;
}>;
