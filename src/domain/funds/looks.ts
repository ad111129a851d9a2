import type { Claim, OpenChunk } from './claim.ts';

/**
 * The claims of an account just before and just after its balance was read. The service takes money while we look, so
 * neither look alone says what the balance that was read must still carry.
 */
export type Looks = Readonly<{ before: readonly Claim[]; after: readonly Claim[] }>;

/**
 * Every chunk that was open at either look: whatever was taken from the account after its balance was read is among
 * them, and so is everything that will still be taken.
 *
 * `after` must hold the claims that were made since `before` with all their chunks, whatever became of those.
 */
export function mostOpen({ before, after }: Looks): Claim[] {
  const merged = new Map(before.map((claim) => [claim.batchId, claim]));
  for (const claim of after) {
    const earlier = merged.get(claim.batchId);
    const open = earlier === undefined ? claim.open : union(earlier.open, claim.open);
    merged.set(claim.batchId, { ...claim, open });
  }
  return [...merged.values()];
}

/**
 * The chunks whose money was surely not taken when the balance was read: open at both looks, and not under way. Claims
 * that are just being decided may come to nothing, and are left out.
 */
export function surelyOpen({ before, after }: Looks): Claim[] {
  const earlier = new Map(before.map((claim) => [claim.batchId, claim]));
  return after.flatMap((claim) => {
    const known = new Set(earlier.get(claim.batchId)?.open.map(({ chunk }) => chunk));
    const isOpen = ({ chunk, sending }: OpenChunk) => known.has(chunk) && !sending;
    return isBeingDecided(claim) ? [] : { ...claim, open: claim.open.filter(isOpen) };
  });
}

const isBeingDecided = ({ askedAtMs, waitingSinceMs, grantedAtMs }: Claim): boolean =>
  askedAtMs !== null && waitingSinceMs === null && grantedAtMs === null;

function union(a: readonly OpenChunk[], b: readonly OpenChunk[]): OpenChunk[] {
  const chunks = new Map(a.map((open) => [open.chunk, open]));
  for (const open of b) chunks.set(open.chunk, open);
  return [...chunks.values()];
}
