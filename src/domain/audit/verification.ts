import type { EndState } from '../batch/batch-state.ts';
import type { ErrorNote } from '../errors/bursar-error.ts';
import type { AuditMark } from '../report/report.ts';

/** An entry of the log that somebody keeps, and where. */
export type QuotedMark = AuditMark & Readonly<{ source: string }>;

/** Something that was looked through, and how many of it there were. */
export type Checked = Readonly<{ what: string; count: number }>;

/**
 * PROVEN: everything is as it was written down. TAMPERED: something is not. OLDER: nothing is wrong as far as the log goes,
 * but the batch began before the log told everything, so that records which it does not tell of prove nothing. NOT_APPROVED: the
 * records are as they were written, and the batch went on without an approval that its policy asks for.
 */
export type VerificationResult = 'PROVEN' | 'TAMPERED' | 'OLDER' | 'NOT_APPROVED';

/** What a look at the whole of one batch found; nothing but its store and its files was asked. */
export type Verification = Readonly<{
  schema: 'bursar.verification/v1';
  batchId: string;
  result: VerificationResult;
  /** null: the batch has not ended. */
  state: EndState | null;
  /** The newest entry of the whole log. */
  head: AuditMark;
  /** Marks that were held against the log. */
  quoted: readonly QuotedMark[];
  checked: readonly Checked[];
  /** What could not be looked at, and why, in sentences. */
  unchecked: readonly string[];
  /** The first problems; all are counted. */
  problems: readonly ErrorNote[];
  problemCount: number;
}>;
