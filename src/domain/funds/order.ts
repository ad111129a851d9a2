import type { Claim } from './claim.ts';

/** The place of a batch in the queue for the balance. */
export type Place = Pick<Claim, 'batchId' | 'seq' | 'beforeScheduled'>;

/** The claims that come before a batch: granted ones, and those before it in the queue. */
export const claimsBefore = (claims: readonly Claim[], own: Place, nowMs: number): Claim[] =>
  claims.filter((claim) => goesFirst(claim, own, nowMs));

/**
 * The claims that come before a batch that may not have asked yet. It comes after all that have asked, unless it has
 * priority over some of them.
 */
export function claimsBeforePlanned(
  claims: readonly Claim[],
  planned: Omit<Place, 'seq'>,
  nowMs: number,
): Claim[] {
  const own = claims.find(({ batchId }) => batchId === planned.batchId);
  return claimsBefore(claims, own ?? { ...planned, seq: Number.POSITIVE_INFINITY }, nowMs);
}

function goesFirst(claim: Claim, own: Place, nowMs: number): boolean {
  if (claim.batchId === own.batchId) return false;
  if (claim.grantedAtMs !== null) return true;
  return claim.seq < own.seq && (!own.beforeScheduled || isDue(claim, nowMs));
}

const isDue = ({ askedAtMs, dueAtMs }: Claim, nowMs: number): boolean =>
  askedAtMs !== null || (dueAtMs !== null && dueAtMs <= nowMs);
