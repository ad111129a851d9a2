import { isInDoubt } from './doubt.ts';
import { lookupsSinceLastAttempt } from './lookups.ts';
import type { SendState } from './reduce.ts';
import { canPass, type OperatorReason, type SendCommand } from './send-command.ts';
import type { SendRecord } from './send-record.ts';

/**
 * While a person is asked about a chunk, its key is looked up again after this time without a lookup, in milliseconds.
 */
const ASKED_LOOKUP_MS = 60_000;

/** Reasons that outweigh the one of the first question: the question is put again under them. */
const REASONS_THAT_OUTWEIGH: readonly OperatorReason[] = ['TWO_PAYOUTS', 'LOOKUP_DISPROVEN'];

/**
 * The next step for a chunk while a person is asked about it. Nothing is sent, since the person may be about to pay in
 * another way, and an ambiguous create is not called unpaid. A mass payout that is found ends the question. So does a
 * refusal, and so does a stop when nothing can have arrived. A question that had no other cause than a missing proof or
 * answer is withdrawn first, once both are there. `command` is the next step without the question.
 */
export function whileAsked(
  { record, reason }: Omit<SendState, 'state'>,
  command: SendCommand,
  nowMs: number,
): SendCommand {
  switch (command.kind) {
    case 'created':
    case 'rejected':
    case 'abandoned':
    case 'read':
    case 'lookup':
      return command;
    case 'closed':
      return isInDoubt(record) ? lookUpWhileAsked(record, nowMs) : command;
    case 'verify-lookup':
      return canPass(reason) ? command : lookUpWhileAsked(record, nowMs);
    case 'attempt':
      return canPass(reason) ? { kind: 'withdraw' } : lookUpWhileAsked(record, nowMs);
    case 'needs-operator': {
      const outweighs = REASONS_THAT_OUTWEIGH.includes(command.reason);
      return outweighs && command.reason !== reason ? command : lookUpWhileAsked(record, nowMs);
    }
    default:
      return lookUpWhileAsked(record, nowMs);
  }
}

function lookUpWhileAsked(record: SendRecord, nowMs: number): SendCommand {
  if (record.payout !== undefined) return { kind: 'asked' };
  const newest = lookupsSinceLastAttempt(record, nowMs).at(-1);
  const isDue = newest === undefined || nowMs - newest.atMs > ASKED_LOOKUP_MS;
  return { kind: isDue ? 'lookup' : 'asked' };
}
