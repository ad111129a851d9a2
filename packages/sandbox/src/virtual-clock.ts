import { setImmediate } from 'node:timers';
import type { SandboxClock } from './clock.ts';

/** A clock that stands still until it is advanced. */
export type VirtualClock = SandboxClock &
  Readonly<{
    /**
     * Lets `ms` milliseconds pass. Every timer that is due on the way runs at its own time, and the
     * work that it starts ends before the next timer. So does what becomes due on the way. Calls
     * run one after the other, so no such work may wait for another call.
     */
    advance(ms: number): Promise<void>;
    /** The time does not pass until this promise has settled. */
    waitFor(work: Promise<unknown>): void;
    /** Shows another time. No timer runs because of it. */
    set(nowMs: number): void;
  }>;

export const isVirtualClock = (clock: SandboxClock): clock is VirtualClock => 'waitFor' in clock;

type Timer = Readonly<{ dueMs: number; run: () => void }>;

/** Timers without a delay run by themselves, because no time has to pass for them. */
export function createVirtualClock(startMs: number): VirtualClock {
  const timers = new Set<Timer>();
  const work = new Set<Promise<unknown>>();
  let shownMs = startMs;
  let lastCall: Promise<unknown> = Promise.resolve();
  let isWaking = false;

  /** Of timers that are due at one time, the one that started first comes first. */
  function nextTimer(untilMs: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of timers) {
      if (timer.dueMs <= untilMs && timer.dueMs < (next?.dueMs ?? Number.POSITIVE_INFINITY))
        next = timer;
    }
    return next;
  }

  /** Waits for the work under way, and for the code that waits for a timer or for such work. */
  async function settle(): Promise<void> {
    await nextTurn();
    while (work.size > 0) {
      await Promise.allSettled(work);
      await nextTurn();
    }
  }

  async function runUntil(untilMs: number): Promise<void> {
    await settle();
    for (let timer = nextTimer(untilMs); timer !== null; timer = nextTimer(untilMs)) {
      timers.delete(timer);
      shownMs = Math.max(shownMs, timer.dueMs);
      timer.run();
      await settle();
    }
    shownMs = Math.max(shownMs, untilMs);
  }

  function advance(ms: number): Promise<void> {
    const call = lastCall.then(() => runUntil(shownMs + ms));
    // The caller of `advance` gets the error of a timer.
    lastCall = call.catch(() => {});
    return call;
  }

  function wake(): void {
    if (isWaking) return;
    isWaking = true;
    setImmediate(() => {
      isWaking = false;
      void advance(0);
    });
  }

  return {
    nowMs: () => shownMs,
    startTimer(delayMs, run) {
      const timer = { dueMs: shownMs + delayMs, run };
      timers.add(timer);
      if (delayMs <= 0) wake();
      return () => void timers.delete(timer);
    },
    advance,
    waitFor(promise) {
      work.add(promise);
      const forget = (): void => void work.delete(promise);
      promise.then(forget, forget);
    },
    set: (nowMs) => void (shownMs = nowMs),
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
