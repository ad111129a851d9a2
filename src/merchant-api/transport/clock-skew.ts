import { readServerDateMs } from '../response/head-facts.ts';
import type { WireHead } from './exchange.ts';

/** Remembers how far the service's clock is from ours. */
export type ClockSkew = Readonly<{
  /** Takes the head of any answer; one without a usable `Date` changes nothing. */
  measure(head: WireHead): void;
  /** Service minus local, in milliseconds; undefined before the first measurement. */
  lastMs(): number | undefined;
}>;

/**
 * The `Date` header counts whole seconds, so a measurement is good to about a second and half the
 * call.
 */
export function createClockSkew(): ClockSkew {
  let lastMs: number | undefined;
  return {
    measure({ headers, startedAtMs, receivedAtMs }) {
      const serverDateMs = readServerDateMs(headers);
      if (serverDateMs === undefined) return;
      lastMs = serverDateMs - Math.round((startedAtMs + receivedAtMs) / 2);
    },
    lastMs: () => lastMs,
  };
}
