export type StopTimer = () => void;

/** The source of time. Tests pass their own, and decide when time passes. */
export type SandboxClock = Readonly<{
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
  startTimer(delayMs: number, run: () => void): StopTimer;
  /** The longest delay that an alarm may start. */
  timerDelayMsMax?: number;
}>;

/** A longer setTimeout is not safe: it overflows beyond 24 days, and a computer may sleep. */
const TIMER_DELAY_MS_MAX = 60_000;

export const systemClock: SandboxClock = {
  timerDelayMsMax: TIMER_DELAY_MS_MAX,
  nowMs: () => Date.now(),
  startTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export type DueAlarm = Readonly<{
  /** Rings when `dueMs` has come, or earlier. */
  ringBy(dueMs: number): void;
  cancel(): void;
}>;

/**
 * Runs one timer for a queue of due times of any length. `run` calls `ringBy` with the next due
 * time.
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
      const longestMs = clock.timerDelayMsMax ?? Number.POSITIVE_INFINITY;
      const atMs = Math.min(dueMs, clock.nowMs() + longestMs);
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
  /** Returns true when the time has passed, and false when `endAll` ended the wait. */
  wait(delayMs: number): Promise<boolean>;
  /** Ends every wait at once, so that no timer is left when the sandbox closes. */
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
