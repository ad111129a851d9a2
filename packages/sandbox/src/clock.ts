export type StopTimer = () => void;

/** Time as the sandbox sees it; injected, so that tests decide when it passes. */
export type SandboxClock = Readonly<{
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
  startTimer(delayMs: number, run: () => void): StopTimer;
}>;

export const systemClock: SandboxClock = {
  nowMs: () => Date.now(),
  startTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * setTimeout overflows beyond 24 days, and a computer may sleep; the alarm looks again at least
 * this often.
 */
const TIMER_DELAY_MS_MAX = 60_000;

export type DueAlarm = Readonly<{
  /** Makes sure that the alarm rings when `dueMs` has come, or earlier. */
  ringBy(dueMs: number): void;
  cancel(): void;
}>;

/**
 * One timer for a queue of due times, however long it is. `run` must say when it wants to be called
 * next.
 */
export function createAlarm(clock: SandboxClock, run: () => void): DueAlarm {
  let ringsAtMs = Number.POSITIVE_INFINITY;
  let stopTimer: StopTimer = () => {};
  const cancel = (): void => {
    stopTimer();
    ringsAtMs = Number.POSITIVE_INFINITY;
  };
  return {
    cancel,
    ringBy(dueMs) {
      const atMs = Math.min(dueMs, clock.nowMs() + TIMER_DELAY_MS_MAX);
      if (atMs >= ringsAtMs) return;
      stopTimer();
      ringsAtMs = atMs;
      stopTimer = clock.startTimer(Math.max(0, atMs - clock.nowMs()), () => {
        ringsAtMs = Number.POSITIVE_INFINITY;
        run();
      });
    },
  };
}

export type Pauses = Readonly<{
  /** Whether the time has passed; false when the wait was ended before. */
  wait(delayMs: number): Promise<boolean>;
  /** Ends every wait at once, so that nothing is left when the sandbox closes. */
  endAll(): void;
}>;

export function createPauses(clock: SandboxClock): Pauses {
  const open = new Set<() => void>();
  return {
    wait: (delayMs) =>
      new Promise((resolve) => {
        const finish = (hasPassed: boolean): void => {
          stopTimer();
          open.delete(end);
          resolve(hasPassed);
        };
        const end = (): void => finish(false);
        const stopTimer = clock.startTimer(delayMs, () => finish(true));
        open.add(end);
      }),
    endAll: () => {
      for (const end of open) end();
    },
  };
}
