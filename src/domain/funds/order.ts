import type { FundsClaim, QueuePlace, QueueRank } from './claim.ts';

/** The claims that come before a batch: granted ones, and those before it in the queue. */
export const claimsBefore = (
  claims: readonly FundsClaim[],
  own: QueuePlace,
  nowMs: number,
): FundsClaim[] => claims.filter((claim) => goesFirst(claim, own, nowMs));

/**
 * The claims that come before a batch that may not have asked yet. It comes after all that have asked, unless it has
 * priority over some of them.
 */
export function claimsBeforePlanned(
  claims: readonly FundsClaim[],
  planned: QueueRank,
  nowMs: number,
): FundsClaim[] {
  const own = claims.find(({ batchId }) => batchId === planned.batchId);
  return claimsBefore(claims, own ?? { ...planned, seq: Number.POSITIVE_INFINITY }, nowMs);
}

function goesFirst(claim: FundsClaim, own: QueuePlace, nowMs: number): boolean {
  if (claim.batchId === own.batchId) return false;
  if (claim.grantedAtMs !== null) return true;
  return claim.seq < own.seq && (!own.beforeScheduled || isDue(claim, nowMs));
}

const isDue = ({ askedAtMs, dueAtMs }: FundsClaim, nowMs: number): boolean =>
  askedAtMs !== null || (dueAtMs !== null && dueAtMs <= nowMs);
