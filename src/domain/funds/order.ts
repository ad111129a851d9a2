import type { Claim } from './claim.ts';

/** Where a batch stands in the order of asking. */
export type Place = Pick<Claim, 'batchId' | 'seq' | 'beforeScheduled'>;

/** The claims whose money is kept before a batch may pay: those that were let go, and those that asked first. */
export const claimsBefore = (claims: readonly Claim[], own: Place, nowMs: number): Claim[] =>
  claims.filter((claim) => goesFirst(claim, own, nowMs));

/** The same for a batch that may not have asked yet: then it comes after all that have, unless it goes before some of them. */
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
