import type { SandboxClock, StopTimer } from '../../src/clock.ts';

export type ManualClock = SandboxClock &
  Readonly<{
    /** Lets time pass; every timer that falls due on the way runs at its own time. */
    advance(ms: number): void;
  }>;

type Timer = { dueMs: number; run: () => void };

export const START_MS = Date.UTC(2026, 10, 20, 12);

/** A clock on which no time passes by itself. */
export function createManualClock(startMs = START_MS): ManualClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();

  const nextTimer = (untilMs: number): Timer | undefined =>
    [...timers].filter(({ dueMs }) => dueMs <= untilMs).toSorted((a, b) => a.dueMs - b.dueMs)[0];

  return {
    nowMs: () => nowMs,
    startTimer(delayMs, run): StopTimer {
      const timer = { dueMs: nowMs + delayMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (let timer = nextTimer(untilMs); timer; timer = nextTimer(untilMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.dueMs);
        timer.run();
      }
      nowMs = untilMs;
    },
  };
}
