import { isInDoubt } from '../sending/doubt.ts';
import type { Reproof } from '../sending/decide.ts';
import type { SendState } from '../sending/reduce.ts';
import type { Lookup } from '../sending/send-record.ts';

/**
 * The result of looking up the key of a refused or unsent chunk again. `found`: it was created after all. `prove`:
 * first a lookup must find something that exists. `hidden`: the service answers, and does not show an existing mass
 * payout.
 */
export type KeyProof = 'unpaid' | 'found' | 'prove' | 'hidden' | 'unanswered';

/** The facts about the sending of a chunk. */
type Known = Pick<SendState, 'record' | 'verification'>;

/** Whether a mass payout of the chunk may exist. Then only a verified lookup shows that none does. */
export const mayExist = ({ record, verification }: Known): boolean =>
  isInDoubt(record) || verification !== undefined;

/** `reproof`: whether a lookup still finds an existing mass payout, once that was checked. */
export function keyProofOf(
  known: Known,
  result: Lookup['result'],
  reproof?: Reproof['result'],
): KeyProof {
  if (result === 'failed') return 'unanswered';
  if (result === 'found') return 'found';
  if (!mayExist(known)) return 'unpaid';
  if (result !== 'missed') return 'hidden';
  if (reproof === undefined) return 'prove';
  if (reproof === 'failed') return 'unanswered';
  return reproof === 'proven' ? 'unpaid' : 'hidden';
}
