import { isInDoubt } from '../sending/doubt.ts';
import type { LookupCheck } from '../sending/lookups.ts';
import type { SendState } from '../sending/reduce.ts';
import type { Lookup } from '../sending/send-record.ts';

/**
 * The result of looking up the key of a refused or unsent chunk again. `found`: it was created after all. `prove`:
 * first a lookup must find something that exists. `hidden`: the service answers, and does not show an existing mass
 * payout.
 */
export type KeyRecheck = 'unpaid' | 'found' | 'verify-lookup' | 'hidden' | 'unanswered';

/** The facts about the sending of a chunk. */
type ChunkSending = Pick<SendState, 'record' | 'verification'>;

/** Whether a mass payout of the chunk may exist. Then only a verified lookup shows that none does. */
export const mayExist = ({ record, verification }: ChunkSending): boolean =>
  isInDoubt(record) || verification !== undefined;

/** `lookupCheck`: whether a lookup still finds an existing mass payout, once that was checked. */
export function keyRecheckOf(
  known: ChunkSending,
  result: Lookup['result'],
  lookupCheck?: LookupCheck['result'],
): KeyRecheck {
  if (result === 'failed') return 'unanswered';
  if (result === 'found') return 'found';
  if (!mayExist(known)) return 'unpaid';
  if (result !== 'missed') return 'hidden';
  if (lookupCheck === undefined) return 'verify-lookup';
  if (lookupCheck === 'failed') return 'unanswered';
  return lookupCheck === 'found' ? 'unpaid' : 'hidden';
}
