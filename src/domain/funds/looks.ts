import type { FundsClaim, OpenChunk } from './claim.ts';

/**
 * The claims of an account just before and just after its balance was read. The service takes money during the read, so
 * neither read alone shows the claims that the balance must still carry.
 */
export type Looks = Readonly<{ before: readonly FundsClaim[]; after: readonly FundsClaim[] }>;

/**
 * Every chunk that was open at either read. Among them are all amounts that left after the balance was read, and all
 * that will still leave. `after` must hold the claims that were made since `before` with all their chunks, in any
 * state.
 */
export function mostOpen({ before, after }: Looks): FundsClaim[] {
  const merged = new Map(before.map((claim) => [claim.batchId, claim]));
  for (const claim of after) {
    const earlier = merged.get(claim.batchId);
    const open = earlier === undefined ? claim.open : union(earlier.open, claim.open);
    merged.set(claim.batchId, { ...claim, open });
  }
  return [...merged.values()];
}

/**
 * The chunks whose money was certainly not taken when the balance was read: open at both reads, and not under way.
 * Claims that are just being decided may be refused, and are left out.
 */
export function surelyOpen({ before, after }: Looks): FundsClaim[] {
  const earlier = new Map(before.map((claim) => [claim.batchId, claim]));
  return after.flatMap((claim) => {
    const known = new Set(earlier.get(claim.batchId)?.open.map(({ chunk }) => chunk));
    const isOpen = ({ chunk, sending }: OpenChunk) => known.has(chunk) && !sending;
    return isBeingDecided(claim) ? [] : { ...claim, open: claim.open.filter(isOpen) };
  });
}

const isBeingDecided = ({ askedAtMs, waitingSinceMs, grantedAtMs }: FundsClaim): boolean =>
  askedAtMs !== null && waitingSinceMs === null && grantedAtMs === null;

function union(a: readonly OpenChunk[], b: readonly OpenChunk[]): OpenChunk[] {
  const chunks = new Map(a.map((open) => [open.chunk, open]));
  for (const open of b) chunks.set(open.chunk, open);
  return [...chunks.values()];
}
