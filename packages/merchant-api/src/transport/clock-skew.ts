import { readServerDateMs } from '../response/head-facts.ts';
import type { WireHead } from './exchange.ts';

/** Measures the distance between the service's clock and the local clock. */
export type ClockSkew = Readonly<{
  /** Takes the head of an answer of the service; one without a usable `Date` changes nothing. */
  measure(head: WireHead): void;
  /** Service minus local, in milliseconds; undefined before the first measurement. */
  lastMs(): number | undefined;
  /**
   * A lower bound of the service's clock now: the smallest of the newest `Date`s, each moved forward
   * by a monotonic clock. Undefined before the first.
   */
  leastNowMs(): number | undefined;
}>;

/** Number of `Date`s to compare: enough to include each of a few nodes that answer in any order. */
const DATES_KEPT = 64;

/**
 * Creates the measurement. The `Date` header counts whole seconds, so it is accurate to about a
 * second and half the duration of the call.
 */
export function createClockSkew(steadyMs: () => number = () => performance.now()): ClockSkew {
  let lastMs: number | undefined;
  /** Differences to the monotonic clock, oldest first. */
  const aheadMs: number[] = [];
  return {
    measure({ headers, startedAtMs, receivedAtMs }) {
      const serverDateMs = readServerDateMs(headers);
      if (serverDateMs === undefined) return;
      lastMs = serverDateMs - Math.round((startedAtMs + receivedAtMs) / 2);
      aheadMs.push(serverDateMs - steadyMs());
      if (aheadMs.length > DATES_KEPT) aheadMs.shift();
    },
    lastMs: () => lastMs,
    leastNowMs: () =>
      aheadMs.length === 0 ? undefined : Math.floor(Math.min(...aheadMs) + steadyMs()),
  };
}
