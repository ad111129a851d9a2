import { readServerDateMs } from '../response/head-facts.ts';
import type { WireHead } from './exchange.ts';

/** Remembers how far the service's clock is from ours. */
export type ClockSkew = Readonly<{
  /** Takes the head of an answer of the service; one without a usable `Date` changes nothing. */
  measure(head: WireHead): void;
  /** Service minus local, in milliseconds; undefined before the first measurement. */
  lastMs(): number | undefined;
  /**
   * What the service's clock shows now, at the least: the smallest of the newest `Date`s, each moved on by a clock that
   * nobody can set. Undefined before the first.
   */
  leastNowMs(): number | undefined;
}>;

/** Newest `Date`s that are compared: enough to meet each of a few nodes that answer in any order. */
const DATES_KEPT = 64;

/**
 * The `Date` header counts whole seconds, so a measurement is good to about a second and half the
 * call.
 */
export function createClockSkew(steadyMs: () => number = () => performance.now()): ClockSkew {
  let lastMs: number | undefined;
  /** Differences to the steady clock, oldest first. */
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
