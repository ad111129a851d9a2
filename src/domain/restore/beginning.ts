import type { Lookup } from '../sending/send-record.ts';

/**
 * Whether a batch had begun to pay before an older copy took the place of the store. `new`: it had not. `begun`: the service has
 * its first mass payout. `missed`: it has not, which is certain only later. `unknown`: the service did not answer.
 */
export type Beginning = 'new' | 'begun' | 'missed' | 'unknown';

/**
 * How long after a restore requests may still be on their way that the store lacks, in milliseconds: longer than any
 * fence.
 */
export const ON_THEIR_WAY_MS = 900_000;

/** Times are in milliseconds since 1970. */
type BeginningFacts = Readonly<{
  submittedAtMs: number;
  /** When the older copy came. `hasBegun`: the service has shown a mass payout of the batch since then. */
  restore: Readonly<{ atMs: number; hasBegun: boolean }>;
  /** What a lookup of the first key said. The first chunk of a batch leaves before all others. */
  first: Lookup['result'];
}>;

/**
 * What a lookup of the first key says of a batch. A batch that was submitted long after the restore can have the id of one that
 * the store lacks, so it is looked up as well. There one miss is enough.
 */
export function beginningOf({ submittedAtMs, restore, first }: BeginningFacts): Beginning {
  if (first === 'found') return 'begun';
  if (isLikelyNew(submittedAtMs, restore)) return 'new';
  return first === 'missed' ? 'missed' : 'unknown';
}

/** Whether a batch was submitted long after the restore, and the service has shown nothing of it from before. */
export const isLikelyNew = (
  submittedAtMs: number,
  { atMs, hasBegun }: BeginningFacts['restore'],
): boolean => !hasBegun && submittedAtMs > atMs + ON_THEIR_WAY_MS;

/** Whether a miss of the first key that was asked for then is beyond all that may be on its way. */
export const isMissCertain = (askedAtMs: number, { atMs }: Readonly<{ atMs: number }>): boolean =>
  askedAtMs > atMs + ON_THEIR_WAY_MS;
