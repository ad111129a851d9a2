import type { ChunkState } from '../batch/chunk-state.ts';
import type { RowNumber } from '../rows/row.ts';

/** The outcome of a row. `IN_FLIGHT` until it can be certain. */
export const OUTCOMES = ['PAID', 'FAILED', 'NOT_SENT', 'UNKNOWN', 'IN_FLIGHT'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What people are shown of a row: of those that are open, some have not left yet. */
export const SHOWN_OUTCOMES = [...OUTCOMES, 'NOT_SENT_YET'] as const;
export type ShownOutcome = (typeof SHOWN_OUTCOMES)[number];

/**
 * No row is in flight while the first create of its chunk has not left. Decisions about money use the outcome itself.
 */
export const shownOutcome = (outcome: Outcome, state: ChunkState | undefined): ShownOutcome =>
  outcome === 'IN_FLIGHT' && state === 'PLANNED' ? 'NOT_SENT_YET' : outcome;

/** An outcome with its reason; PAID and IN_FLIGHT need none. */
export type OutcomeWithReason = Readonly<{ outcome: Outcome; reason: string }>;

/** The outcome of one row, where it is not the default outcome of its chunk. */
export type RowOutcome = OutcomeWithReason &
  Readonly<{
    row: RowNumber;
    withdrawalId?: string;
    transactionHash?: string;
    fee?: string;
    feeCurrency?: string;
  }>;

/**
 * The outcomes of a chunk: a default, and the rows that differ from it. Most chunks have one outcome,
 * so that a million rows cost a thousand records.
 */
export type ChunkOutcomes = Readonly<{
  /** The state of its mass payout in the last read. */
  massPayoutState: string;
  /** Whether there is nothing more to wait for. PARTIAL and FAILED may still change, through the service's own interface. */
  final: boolean;
  defaultOutcome: OutcomeWithReason;
  rows: readonly RowOutcome[];
}>;

export const PAID: OutcomeWithReason = { outcome: 'PAID', reason: '' };
export const IN_FLIGHT: OutcomeWithReason = { outcome: 'IN_FLIGHT', reason: '' };

/** The outcome of a row whose mass payout changed its state too often. */
export const UNSTABLE: OutcomeWithReason = {
  outcome: 'UNKNOWN',
  reason: 'the service keeps changing what it says of this mass payout',
};
