import type { RowCounts } from '../report/totals.ts';
import { type BatchState, isEndState } from './batch-state.ts';

/**
 * What a person does next about a batch that has ended. INVESTIGATE: find out about its unknown rows. RESEND: `bursar
 * resend` pays what is left. SUBMIT: nothing was sent, and the file can be submitted under another id.
 */
export type NextStep = 'INVESTIGATE' | 'RESEND' | 'SUBMIT';

export type Ended = Readonly<{
  state: BatchState;
  rows: RowCounts;
  /** Whether an error ended it, which says itself what to do. */
  hasError: boolean;
  isResend: boolean;
  /** Whether mass payouts of it were created, and declined. */
  wasDeclined: boolean;
}>;

/** What is to be done about a batch that has not been resent; null: nothing that its own texts do not say. */
export function nextStepOf({ state, rows, hasError, ...ended }: Ended): NextStep | null {
  if (!isEndState(state) || state === 'COMPLETED') return null;
  if (rows.unknown > 0) return 'INVESTIGATE';
  if (rows.failed > 0) return hasError ? null : 'RESEND';
  if (rows.notSent !== rows.total) return null;
  // Never the file of a resend: most of it is paid.
  if (ended.isResend) return 'RESEND';
  // What was created and declined may be paid by a resend alone: the same file would be a second batch of the same payments.
  return state === 'FAILED' && ended.wasDeclined ? 'RESEND' : 'SUBMIT';
}

/** The id under which a file of which nothing was sent is submitted once more. */
export const nextIdOf = (batchId: string): string => `${batchId}-2`;
