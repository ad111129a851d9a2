import { type Log, reasonOf } from './log.ts';

const RETRY_DELAY_MS_MIN = 500;
/** The bridge notices the return of Temporal after this time at the latest. */
const RETRY_DELAY_MS_MAX = 10_000;
/**
 * After this time without a call the bridge pings Temporal, so that its health report is current.
 */
const PING_AFTER_MS = 10_000;

export type TemporalState = 'unknown' | 'up' | 'down';

/** Result of one call to Temporal. */
export type CallResult<Result = unknown> =
  | Readonly<{ worked: true; result: Result }>
  | Readonly<{ worked: false; error: unknown }>;

/** Makes one call. It returns the error of a failed call and never rejects. */
export async function tryCall<Result>(call: () => Promise<Result>): Promise<CallResult<Result>> {
  try {
    return { worked: true, result: await call() };
  } catch (error) {
    return { worked: false, error };
  }
}

/**
 * Records whether Temporal answers, and doubles the delay before the next try after each failure.
 */
export function createTemporalTracker(log: Log) {
  let state: TemporalState = 'unknown';
  let failures = 0;
  let triedAtMs = Number.NEGATIVE_INFINITY;

  const hasPassed = (delayMs: number, nowMs: number): boolean =>
    // A clock that was set back must not prolong a delay.
    nowMs < triedAtMs || nowMs - triedAtMs >= delayMs;

  const mayTry = (nowMs: number): boolean => {
    const delayMs = Math.min(RETRY_DELAY_MS_MIN * 2 ** (failures - 1), RETRY_DELAY_MS_MAX);
    return failures === 0 || hasPassed(delayMs, nowMs);
  };

  return {
    state: (): TemporalState => state,
    mayTry,
    isPingDue: (nowMs: number): boolean => mayTry(nowMs) && hasPassed(PING_AFTER_MS, nowMs),

    record(call: CallResult | undefined, nowMs: number): void {
      if (call === undefined) return;
      triedAtMs = nowMs;
      if (call.worked) {
        if (state !== 'up') log.info({}, 'Temporal answers');
        state = 'up';
        failures = 0;
        return;
      }
      if (state !== 'down') {
        const facts = { reason: reasonOf(call.error) };
        log.warn(facts, 'Temporal does not answer; webhooks wait in the spool');
      }
      state = 'down';
      failures += 1;
    },
  };
}
