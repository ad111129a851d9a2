import { mayHaveArrived } from './doubt.ts';
import type { Attempt, Lookup } from './send-record.ts';

/** How long after an attempt the service may still accept it. All in milliseconds. */
export type FencePolicy = Readonly<{
  /** How far a timestamp may lie from the service's clock; the service refuses older ones. */
  timestampWindowMs: number;
  /** Added on top, for clocks of several machines behind one address. */
  fenceMarginMs: number;
  /** How far the two clocks may differ when the service does not tell its time. */
  skewMs: number;
  /** The longest time that the lookup was seen to lag behind a create. */
  lookupLagMs: number;
  /** When the store was brought back from an older copy: attempts until then may be missing from it. */
  restoredAtMs?: number | undefined;
}>;

/** The lookup must be three times as old as its worst lag before a miss counts. */
export const LAG_FACTOR = 3;

/**
 * How long one sending of a chunk may take, in milliseconds. Whoever is at it for longer has stood still: somebody else does the
 * same by now, and what it has read is old, so it may send nothing any more.
 */
export const SENDING_MS_MAX = 300_000;

/** Whether a sending that was begun then may still send: what it has read is not too old. Milliseconds since 1970. */
export const mayStillSend = (begunAtMs: number, nowMs: number): boolean =>
  nowMs >= begunAtMs && nowMs - begunAtMs <= SENDING_MS_MAX;

/**
 * Waits before each question for a mass payout that was just created, in milliseconds. A service that shows it later than
 * that has not proven its lookup.
 */
export const PROOF_DELAYS_MS = [0, 100, 300, 600, 1_000, 2_000, 4_000] as const;

/** A lag that seems longer than this was not one of the service: whoever measured it stood still. Milliseconds. */
const PROOF_LAG_MS_MAX = 60_000;

/**
 * How long at most the lookup lagged behind a create that it found, in milliseconds; undefined when that cannot be said. It is counted from the
 * answer to the create, if that came while the request was waited for, and else from its signature.
 */
export function lagOf(
  attempts: readonly Attempt[],
  { askedAtMs, requestTimeoutMs }: Readonly<{ askedAtMs: number; requestTimeoutMs: number }>,
): number | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  const { timestampMs, endedMs, outcome } = last;
  const wasAwaited = outcome === 'ACCEPTED' && endedMs !== undefined;
  const sinceMs = wasAwaited && endedMs - timestampMs <= requestTimeoutMs ? endedMs : timestampMs;
  const lagMs = Math.max(0, askedAtMs - sinceMs);
  return lagMs <= PROOF_LAG_MS_MAX ? lagMs : undefined;
}

/**
 * Whether a request may leave: only shortly after its attempt was written down. A process that was stopped in between wakes
 * up with a timestamp that is too old to send. Times in milliseconds.
 */
export const mayLeave = (
  { timestampMs }: Pick<Attempt, 'timestampMs'>,
  { nowMs, sendBudgetMs }: Readonly<{ nowMs: number; sendBudgetMs: number }>,
): boolean => nowMs >= timestampMs && nowMs - timestampMs <= sendBudgetMs;

/** The service's time after which it refuses every attempt that may still be on its way. */
export function fenceAtServerMs(attempts: readonly Attempt[], policy: FencePolicy): number {
  const known = attempts.filter(mayHaveArrived).map(({ timestampMs }) => timestampMs);
  const newest = Math.max(policy.restoredAtMs ?? 0, ...known);
  const margin = Math.max(policy.fenceMarginMs, LAG_FACTOR * policy.lookupLagMs);
  return newest + policy.timestampWindowMs + margin;
}

/** Our time from which on it is worth asking whether the fence has passed. */
export const fenceAtLocalMs = (attempts: readonly Attempt[], policy: FencePolicy): number =>
  fenceAtServerMs(attempts, policy) + policy.skewMs;

/**
 * Whether a lookup was made when no attempt could be accepted any more. It is the service's own clock that judges
 * timestamps, so its `Date` decides where it is known; our clock, with the full skew, only where it is not.
 */
export function wasBeyondFence(
  lookup: Lookup,
  attempts: readonly Attempt[],
  policy: FencePolicy,
): boolean {
  return lookup.serverDateMs === undefined
    ? lookup.atMs > fenceAtServerMs(attempts, policy) + policy.skewMs
    : lookup.serverDateMs > fenceAtServerMs(attempts, policy);
}
