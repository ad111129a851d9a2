import type { RowCounts } from '../report/totals.ts';
import { type BatchState, isEndState } from './batch-state.ts';

/**
 * The next step of a person for an ended batch. INVESTIGATE: find out about its unknown rows. RESEND: `bursar resend`
 * pays the rest. SUBMIT: nothing was sent, and the file can be submitted under another id.
 */
export type NextStep = 'INVESTIGATE' | 'RESEND' | 'SUBMIT';

export type EndedFacts = Readonly<{
  state: BatchState;
  rows: RowCounts;
  /** Whether an error ended it; the error names the next step itself. */
  hasError: boolean;
  isResend: boolean;
  /** Whether mass payouts of it were created, and declined. */
  wasDeclined: boolean;
}>;

/** The next step for a batch without a resend; null: its own texts name all steps. */
export function nextStepOf({ state, rows, hasError, ...ended }: EndedFacts): NextStep | null {
  if (!isEndState(state) || state === 'COMPLETED') return null;
  if (rows.unknown > 0) return 'INVESTIGATE';
  if (rows.failed > 0) return hasError ? null : 'RESEND';
  if (rows.notSent !== rows.total) return null;
  // Never the file of a resend: most of it is paid.
  if (ended.isResend) return 'RESEND';
  // Rows that were created and declined may be paid by a resend alone: the same file would be a second batch of the
  // same payments.
  return state === 'FAILED' && ended.wasDeclined ? 'RESEND' : 'SUBMIT';
}

/** The id under which a file of which nothing was sent is submitted once more. */
export const nextIdOf = (batchId: string): string => `${batchId}-2`;
