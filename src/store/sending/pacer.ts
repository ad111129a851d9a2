import { isThrottleRefusal } from '../../domain/sending/doubt.ts';
import { RETRY_AFTER_MS_MAX } from '../../domain/sending/pace.ts';
import type { PaceStore } from './pace.ts';

/** How old the stored time of a `Retry-After` may be when a request leaves, in milliseconds: one read serves all requests of a moment. */
const RETRY_READ_MS = 1_000;

/** A clock that never jumps, in milliseconds, and waits by it. A wait rejects when it is aborted. */
export type PacerClock = Readonly<{ nowMs(): number; wait(delayMs: number): Promise<void> }>;

export type PaceOptions = Readonly<{
  store: Readonly<{ pace: PaceStore }>;
  account: string;
  /** Over everybody who shares the store; undefined: no limit. */
  requestsPerSecond: number | undefined;
  nowMs(): number;
  /** Is called when the time that the service named could not be stored. */
  warn(reason: string): void;
}>;

export type PacerOptions = PaceOptions & Readonly<{ clock: PacerClock }>;

/** How the service refused a request. `retryAfterMs`: the time that the answer names. */
export type Refusal = Readonly<{
  httpStatus?: number | undefined;
  retryAfterMs?: number | undefined;
}>;

export type Pacer = Readonly<{
  /** Waits until the next request of the account may leave. */
  pace(): Promise<void>;
  /** After a 429 that names a time, holds the requests of every process back for that time. Returns whether it does; never rejects. */
  heed(refusal: Refusal): Promise<boolean>;
}>;

/** Makes requests of an account wait for their slot, and for the time that the service named in a 429. */
export function createPacer(options: PacerOptions): Pacer {
  const { store, account, requestsPerSecond, nowMs, warn, clock } = options;
  const retry = createRetryTime(options);

  /** Returns whether it had to wait. */
  async function untilRetry(): Promise<boolean> {
    for (let waitedForMs = -Infinity; ; ) {
      const atMs = await retry.atMs();
      const waitMs = atMs - clock.nowMs();
      if (waitMs <= 0 || atMs === waitedForMs) return waitedForMs > -Infinity;
      await clock.wait(waitMs);
      waitedForMs = atMs;
    }
  }

  return {
    async pace() {
      await untilRetry();
      if (requestsPerSecond === undefined) return;
      const intervalMs = 1_000 / requestsPerSecond;
      for (;;) {
        const { slotMs, waitMs } = await store.pace.takeSlot(account, intervalMs, nowMs());
        if (waitMs > 0) await clock.wait(waitMs);
        // A slot that has passed while the service took no requests is not used.
        if (slotMs !== undefined && !(await untilRetry())) return;
      }
    },

    async heed({ httpStatus, retryAfterMs }) {
      if (!isThrottleRefusal(httpStatus) || retryAfterMs === undefined) return false;
      retry.set(clock.nowMs() + Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
      try {
        await store.pace.setRetryAfter(account, retryAfterMs, nowMs());
      } catch (error) {
        // The answer of the request counts more: a create was refused. This process waits by itself.
        warn(error instanceof Error ? error.message : String(error));
      }
      return true;
    },
  };
}

/** The time that the service named, as this process and the store have it, by the clock of the process. */
function createRetryTime({ store, account, nowMs, clock }: PacerOptions) {
  let retryAtMs = 0;
  let readAtMs = -Infinity;
  let reading: Promise<void> | undefined;
  const set = (atMs: number): void => {
    retryAtMs = Math.max(retryAtMs, atMs);
  };
  const read = async (): Promise<void> => {
    const startedMs = clock.nowMs();
    set(startedMs + (await store.pace.retryWaitMs(account, nowMs())));
    readAtMs = startedMs;
  };

  return {
    set,

    /** When requests may leave. */
    async atMs(): Promise<number> {
      if (clock.nowMs() - readAtMs >= RETRY_READ_MS) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return retryAtMs;
    },
  };
}
