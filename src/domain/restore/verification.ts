import { decideUnasked, type SendPolicy, lookUpOrWait } from '../sending/decide.ts';
import { isInDoubt } from '../sending/doubt.ts';
import { isFailingTooLong } from '../sending/lookups.ts';
import { SENDABLE, type SendState, type VerifiedBy } from '../sending/reduce.ts';
import type { SendCommand } from '../sending/send-command.ts';
import type { Attempt, ClockReading, SendRecord } from '../sending/send-record.ts';
import { whileAsked } from '../sending/while-asked.ts';

/**
 * That an older copy took the place of the store. The copy may lack sends.
 *
 * `epoch`: its number. `atMs`: when it was written down, in milliseconds since 1970. `seen`: the first
 * reading of this worker's clock since then.
 */
export type Restore = Readonly<{ epoch: number; atMs: number; seen: ClockReading }>;

/**
 * What to do next for a chunk of which the store may lack sends. `verified`: it is certain that nothing of it was created which
 * the store does not have.
 */
export type VerifyCommand =
  | Exclude<SendCommand, { kind: 'attempt' | 'closed' | 'rejected' }>
  | Readonly<{ kind: 'verified'; by: VerifiedBy }>;

/**
 * The record with one more attempt at its end: a send that the store lacks, of the moment in which the older copy came. All
 * sends that the copy lacks are older than that, and so are those that it has. Lookups of the time before say nothing about
 * them.
 */
export function withForgottenSend(
  record: SendRecord,
  { epoch, atMs: timestampMs, seen: begun }: Restore,
): SendRecord {
  const n = record.attempts.length + 1;
  const attempts = record.attempts.map((attempt) =>
    attempt.timestampMs > timestampMs ? attempt : { ...attempt, begun },
  );
  const forgotten: Attempt = { n, timestampMs, begun, outcome: 'PENDING' };
  const lookups = record.lookups
    .filter((lookup) => lookup.epoch === epoch)
    .map((lookup) => ({ ...lookup, attempts: lookup.attempts + 1 }));
  return { ...record, attempts: [...attempts, forgotten], lookups };
}

/** Whether a chunk must be verified before anything else is decided. One that has ended, or has its mass payout, is not sent. */
export const isToVerify = ({ record, state, verification }: SendState): boolean =>
  verification === 'due' && SENDABLE.includes(state) && record.payout === undefined;

/**
 * Finds out whether a chunk was created by a send that the store lacks. That takes as much certainty as to call its rows
 * unpaid: the fence has passed, enough lookups have missed the key, and lookups find what exists.
 *
 * Example: the copy was taken at 10:00, chunk 3 was sent at 10:05, and the copy came back at 10:06. The chunk is PLANNED
 * again. Its key is looked up until 10:10 at least, since a create of 10:05 can be accepted until then.
 */
export function nextVerification(
  send: SendState,
  { restore, policy }: Readonly<{ restore: Restore; policy: SendPolicy }>,
  nowMs: number,
): VerifyCommand {
  // After a refusal nothing more is sent, so nothing can be missing.
  if (send.record.attempts.at(-1)?.outcome === 'REJECTED')
    return { kind: 'verified', by: 'refusal' };
  const seen = { ...send, record: withForgottenSend(send.record, restore) };
  const command = patient(
    seen.record,
    decideUnasked(seen, { ...policy, stopping: true }, nowMs),
    nowMs,
  );
  if (send.state !== 'NEEDS_OPERATOR') return verifying(command, send.record);
  const isCertain = command.kind === 'closed';
  // Whoever is asked may be about to pay. So a stop leaves the question open, and a new proof withdraws it.
  const asked = isCertain && !policy.stopping ? ({ kind: 'attempt', n: 1 } as const) : command;
  return verifying(whileAsked(seen, asked, nowMs), send.record);
}

function verifying(command: SendCommand, record: SendRecord): VerifyCommand {
  switch (command.kind) {
    case 'attempt':
    case 'closed':
    case 'rejected':
      return { kind: 'verified', by: 'lookups' };
    case 'wait':
      // It keeps its lane: one wait serves all chunks.
      return { ...command, inDoubt: isInDoubt(record) };
    default:
      return command;
  }
}

/** The copy may have come long before the chunk is to be sent. So the first lookup that fails is no reason to ask a person. */
function patient(record: SendRecord, command: SendCommand, nowMs: number): SendCommand {
  if (command.kind !== 'needs-operator' || command.reason !== 'LOOKUP_FAILING') return command;
  const hasFailed = record.lookups.at(-1)?.result === 'failed';
  return hasFailed && !isFailingTooLong(record.lookups, nowMs)
    ? lookUpOrWait(record, { nowMs, why: 'the lookup failed' })
    : command;
}
