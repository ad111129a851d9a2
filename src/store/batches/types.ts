import type { IngestSummary } from '../../domain/rows/staging.ts';
import type { HouseRules } from '../../domain/plan/rules.ts';
import type { Finding } from '../../domain/plan/finding.ts';
import type { BatchFees } from '../../domain/fees/batch-fees.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';

/** The facts of a batch at its submit. */
export type NewBatch = Readonly<{
  batchId: string;
  code: string;
  accountRef: string;
  account: string;
  fileName: string;
  fileSha256: string;
  submittedBy: string;
  submittedAtMs: number;
  /** The submitter's choices as JSON; the workflow's input has them too. */
  optionsJson: string;
  generation: number;
  parentBatchId: string | null;
}>;

/** Who stopped a batch, and why. */
export type Canceled = Readonly<{ by: string; reason: string }>;

export type BatchRecord = NewBatch &
  Readonly<{
    ingestId: string | null;
    summary: IngestSummary | null;
    digest: string | null;
    findings: readonly Finding[];
    fees: BatchFees | null;
    endState: EndState | null;
    endedAtMs: number | null;
    error: ErrorNote | null;
    /** The rules under which it was planned; null before, and for plans that are older than rules. */
    rules: HouseRules | null;
    /** When it was allowed to pay. */
    releasedAtMs: number | null;
    canceled: Canceled | null;
    reportVersion: number;
    /** Chunks of one partition; null before its plan, and in plans of older workers. */
    partitionChunks: number | null;
    /** When its rows and payloads were removed; null: they are there. */
    prunedAtMs: number | null;
  }>;
