import { isInDoubt, mayBeForgotten } from '../sending/doubt.ts';
import type { Reproof } from '../sending/decide.ts';
import type { Lookup, SendRecord } from '../sending/send-record.ts';

/**
 * The result of looking up the key of a refused or unsent chunk again. `found`: it was created after all. `prove`:
 * first a lookup must find something that exists. `hidden`: the service answers, and does not show an existing mass
 * payout.
 */
export type KeyProof = 'unpaid' | 'found' | 'prove' | 'hidden' | 'unanswered';

/** The facts of a chunk, and since when its store may lack sends of it, in milliseconds since 1970. */
type Known = Pick<SendRecord, 'attempts' | 'answer'> &
  Readonly<{ restoredAtMs?: number | undefined }>;

/** `reproof`: whether a lookup still finds an existing mass payout, once that was checked. */
export function keyProofOf(
  known: Known,
  result: Lookup['result'],
  reproof?: Reproof['result'],
): KeyProof {
  if (result === 'failed') return 'unanswered';
  if (result === 'found') return 'found';
  if (!isInDoubt(known) && !mayBeForgotten(known, known.restoredAtMs)) return 'unpaid';
  if (result !== 'missed') return 'hidden';
  if (reproof === undefined) return 'prove';
  if (reproof === 'failed') return 'unanswered';
  return reproof === 'proven' ? 'unpaid' : 'hidden';
}
