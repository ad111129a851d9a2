import type { Hold } from '../domain/holds/hold.ts';

export type SweepInput = Readonly<{ batchId: string; chunks: readonly number[] }>;

/** The result of a sweep. A chunk that could not be read is in neither list of changes. */
export type Swept = Readonly<{
  /** Chunks that are at their end now. */
  settled: readonly number[];
  /** Chunks that came nearer to their end: another state, or withdrawals that were looked up. */
  moved: readonly number[];
  /** Chunks that could not be read this time. */
  unread: readonly number[];
  /**
   * Chunks that only the send activity can repair: an older copy of the store lacks the send, the mass payout differs from
   * the chunk, or there is a second one.
   */
  unsent: readonly number[];
  /**
   * Chunks that a person should check, while they are still followed: they cannot be read, or take too long.
   * Missing in histories of older workers.
   */
  needsOperator?: readonly number[];
  /** Chunks whose mass payout waits until a person confirms it at the service. Missing without any, and in histories of older workers. */
  unconfirmed?: readonly number[];
  /** Set when failures have put a stop to the batch. */
  hold?: Hold;
  /** Set while webhooks do not arrive, so that only polls find changes. */
  webhooksDown?: boolean;
}>;
