import { setTimeout } from 'node:timers/promises';

/** Clock, pause and chance of repeated reads and of waits. A test passes its own. */
export type WaitTimer = {
  /** Milliseconds of a clock that only moves forward. */
  readonly steadyMs: () => number;
  /** Resolves after the delay. Rejects when the signal aborts. */
  readonly wait: (delayMs: number, signal?: AbortSignal) => Promise<void>;
  /** A random number from 0 up to, and without, 1. */
  readonly random: () => number;
};

/** The clock and the timers of Node.js. */
export const SYSTEM_TIMER: WaitTimer = {
  steadyMs: () => performance.now(),
  wait: (delayMs, signal) => setTimeout(delayMs, undefined, signal === undefined ? {} : { signal }),
  random: () => Math.random(),
};

/** Waits. Returns false when the signal ended the wait. */
export async function pause(
  { wait }: WaitTimer,
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (isAborted(signal)) return false;
  try {
    await wait(delayMs, signal);
  } catch (error) {
    if (!isAborted(signal)) throw error;
  }
  return !isAborted(signal);
}

/** Whether a signal has aborted. */
export const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;
