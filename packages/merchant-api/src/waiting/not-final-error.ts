import type { MassPayout } from '../records/mass-payout.ts';

/** Reason for the end of a wait before a final state. */
export type NotFinalReason = 'deadline' | 'aborted';

/** Facts of a new `NotFinalError`. */
export type NotFinalFacts = {
  /** Reason for the end of the wait. */
  readonly reason: NotFinalReason;
  /** The record that the client read last. Absent when no read succeeded. */
  readonly last?: MassPayout | undefined;
  /** Failure of the last read. Absent when it succeeded, and before the first read. */
  readonly cause?: unknown;
};

/**
 * The error of `waitForMassPayout` when the wait ended before a final state. It shows nothing about the payments: the mass
 * payout may go on. Wait again, or read it later.
 *
 * @example
 * if (error instanceof NotFinalError) console.log(error.reason, error.last?.state);
 */
export class NotFinalError extends Error {
  /** Name of the class, in every release. */
  override readonly name = 'NotFinalError';
  /** Reason for the end of the wait. */
  readonly reason: NotFinalReason;
  /** The record that the client read last. Undefined when no read succeeded. */
  readonly last: MassPayout | undefined;

  constructor({ reason, last, cause }: NotFinalFacts) {
    const seen = last === undefined ? 'no state was read' : 'its last state is not final';
    super(
      `The wait for a mass payout ended (${reason}), and ${seen}.`,
      cause === undefined ? undefined : { cause },
    );
    this.reason = reason;
    this.last = last;
  }
}
