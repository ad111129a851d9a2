import type { AccountOption } from '../call.ts';
import type { MassPayout } from '../records/mass-payout.ts';

/** Default length of a wait for a mass payout, in milliseconds. Confirmation by people may take longer. */
export const WAIT_DEADLINE_MS_DEFAULT = 3_600_000;

/** Default time in which the service may refuse a reference, in milliseconds. */
export const WAIT_UNKNOWN_MS_DEFAULT = 30_000;

/** Options of `waitForMassPayout`. Each read gets the timestamp of its own request. */
export type WaitOptions = AccountOption & {
  /** Ends the wait with `NotFinalError`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time in milliseconds from the call to the last read, by a clock that only moves forward. Default one hour
   * (`WAIT_DEADLINE_MS_DEFAULT`).
   */
  readonly deadlineMs?: number | undefined;
  /**
   * Time in milliseconds in which the service may refuse the reference, as it may right after the create. The wait fails
   * when refusals without a read in between last longer. Default 30 s (`WAIT_UNKNOWN_MS_DEFAULT`).
   */
  readonly unknownMs?: number | undefined;
  /** Deadline of each HTTP request in milliseconds. Default: that of the client options. */
  readonly timeoutMs?: number | undefined;
  /** Called with each record that was read and is not final. An error in it ends the wait. */
  readonly onProgress?: ((payout: MassPayout) => void) | undefined;
};
