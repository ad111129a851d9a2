import { isInDoubt } from '../sending/doubt.ts';
import type { Reproof } from '../sending/decide.ts';
import type { SendState } from '../sending/reduce.ts';
import type { Lookup } from '../sending/send-record.ts';

/**
 * What follows for the rows of a chunk that was refused, or never sent, from asking for its key once more. `found`: it was
 * created after all. `prove`: only a lookup that finds what there is can say that nothing was. `hidden`: the service
 * answers, and does not show what is asked for.
 */
export type KeyProof = 'unpaid' | 'found' | 'prove' | 'hidden' | 'unanswered';

/** What is known of the sending of a chunk. */
type Known = Pick<SendState, 'record' | 'verification'>;

/** Whether a mass payout of the chunk may exist, so that only a lookup which finds what there is can say that none does. */
export const mayExist = ({ record, verification }: Known): boolean =>
  isInDoubt(record) || verification !== undefined;

/** `reproof`: whether a lookup still finds what there is, once that was asked. */
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
