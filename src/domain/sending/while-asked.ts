import { isInDoubt } from './doubt.ts';
import { lookupsSinceLastAttempt } from './lookups.ts';
import type { SendState } from './reduce.ts';
import { canPass, type OperatorReason, type SendCommand } from './send-command.ts';
import type { SendRecord } from './send-record.ts';

/** A chunk that is looked at while a person is asked about it is looked up when that was not done for so long, in milliseconds. */
const ASKED_LOOKUP_MS = 60_000;

/** Reasons that outweigh the one for which a person was asked first: the question is put again under them. */
const REASONS_THAT_OUTWEIGH: readonly OperatorReason[] = ['TWO_PAYOUTS', 'LOOKUP_DISPROVEN'];

/**
 * What is done for a chunk about which a person is asked: nothing is sent, since whoever is asked may be about to pay in another
 * way, and what was in doubt is not called unpaid. A mass payout that shows itself ends the question, a refusal does, and so
 * does a stop when nothing can have arrived.
 *
 * Where the question was asked only for want of a proof or of an answer, and both are there now, it is withdrawn first.
 * `command` says what would be done without the question.
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
      return isInDoubt(record) ? lookOrWait(record, nowMs) : command;
    case 'prove':
      return canPass(reason) ? command : lookOrWait(record, nowMs);
    case 'attempt':
      return canPass(reason) ? { kind: 'withdraw' } : lookOrWait(record, nowMs);
    case 'needs-operator': {
      const outweighs = REASONS_THAT_OUTWEIGH.includes(command.reason);
      return outweighs && command.reason !== reason ? command : lookOrWait(record, nowMs);
    }
    default:
      return lookOrWait(record, nowMs);
  }
}

function lookOrWait(record: SendRecord, nowMs: number): SendCommand {
  if (record.payout !== undefined) return { kind: 'asked' };
  const newest = lookupsSinceLastAttempt(record, nowMs).at(-1);
  const isDue = newest === undefined || nowMs - newest.atMs > ASKED_LOOKUP_MS;
  return { kind: isDue ? 'lookup' : 'asked' };
}
