import type { SendCommand } from './decide.ts';
import { isInDoubt, mayBeForgotten } from './doubt.ts';
import { lookupsSinceLastAttempt } from './lookups.ts';
import type { SendRecord } from './send-record.ts';

/** A chunk that is looked at while a person is asked about it is looked up when that was not done for so long, in milliseconds. */
const ASKED_LOOKUP_MS = 60_000;

type Moment = Readonly<{
  policy: Readonly<{ restoredAtMs?: number | undefined }>;
  nowMs: number;
}>;

/**
 * What is done for a chunk about which a person is asked: nothing is sent, since whoever is asked may be about to pay in another
 * way, and what was in doubt is not called unpaid. A mass payout that shows itself ends the question, a refusal does, and so
 * does a stop when nothing can have arrived.
 */
export function whileAsked(
  record: SendRecord,
  command: SendCommand,
  { policy, nowMs }: Moment,
): SendCommand {
  switch (command.kind) {
    case 'created':
    case 'rejected':
    case 'abandoned':
    case 'read':
    case 'lookup':
      return command;
    case 'closed': {
      const mayHaveLeft = isInDoubt(record) || mayBeForgotten(record, policy.restoredAtMs);
      return mayHaveLeft ? lookOrWait(record, nowMs) : command;
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
