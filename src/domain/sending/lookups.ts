import { SENDING_MS_MAX } from './fence.ts';
import type { Lookup, SendRecord } from './send-record.ts';

/**
 * Whether a lookup finds an accepted mass payout at present. A verification may be a month old, and nothing else stands
 * between a miss and a second payment. `missed`: it does not, or none can be looked up. `failed`: there was no answer.
 * Times are in milliseconds since 1970.
 */
export type LookupCheck = Readonly<{ result: 'found' | 'missed' | 'failed'; atMs: number }>;

/** An answer older than this, on top of the time that it may take, is read again before a send. Milliseconds. */
const LOOKUP_FRESH_MS = 10_000;
/** How long a lookup that found an existing mass payout counts, in milliseconds: as long as one sending of a chunk. */
const PROOF_FRESH_MS = SENDING_MS_MAX;

/**
 * How long failing lookups are repeated, before a first send and after a fence, until a person is asked. Milliseconds.
 */
export const LOOKUP_PATIENCE_MS = 900_000;
/** How long lookup verifications without an answer are repeated, until a person is asked. Milliseconds. */
const PROOF_PATIENCE_MS = 3_600_000;
/** Lookups that are further apart than this were not made in one go, in milliseconds: longer than any wait between two. */
const LOOKUP_PAUSE_MS = 300_000;

/**
 * A lookup from the future was made by another clock, or before this one was set back: it proves nothing about the
 * present.
 */
export const lookupsSinceLastAttempt = (record: SendRecord, nowMs: number): readonly Lookup[] =>
  record.lookups.filter(
    ({ attempts, atMs }) => attempts === record.attempts.length && atMs <= nowMs,
  );

/**
 * Whether every lookup since the last answered one has failed, without a pause, for longer than a person should wait
 * for the notification.
 */
export function isFailingTooLong(lookups: readonly Lookup[], nowMs: number): boolean {
  const lastTold = lookups.findLastIndex(({ result }) => result !== 'failed');
  return nowMs - inOneGoSinceMs(lookups.slice(lastTold + 1), nowMs) > LOOKUP_PATIENCE_MS;
}

/**
 * Whether a lookup before the first send needs no record: nothing can be on its way, so a miss has no later use. The
 * miss after a failure is kept. Otherwise failures with misses between them would look like a service that is down.
 */
export const isWorthNothing = (
  { lookups }: Pick<SendRecord, 'lookups'>,
  result: Lookup['result'],
): boolean =>
  (result === 'missed' || result === 'unavailable') && lookups.at(-1)?.result !== 'failed';

/** Since when lookups were made without a pause: none was made while people held the batch, or no worker ran. */
function inOneGoSinceMs(lookups: readonly Lookup[], nowMs: number): number {
  let sinceMs = nowMs;
  for (const { atMs } of lookups.toReversed()) {
    if (sinceMs - atMs > LOOKUP_PAUSE_MS) break;
    sinceMs = atMs;
  }
  return sinceMs;
}

/** Whether no verification has found what exists for an hour, during which the key was looked up without a pause. */
export function isVerifiedTooRarely(
  record: SendRecord,
  provenAtMs: number | undefined,
  nowMs: number,
): boolean {
  const sinceMs = inOneGoSinceMs(lookupsSinceLastAttempt(record, nowMs), nowMs);
  return nowMs - Math.max(sinceMs, provenAtMs ?? 0) >= PROOF_PATIENCE_MS;
}

/** Whether an answer is about the present: it may have taken as long as an answer may. */
export const isFresh = (
  { atMs }: Pick<Lookup, 'atMs'>,
  { requestTimeoutMs }: Readonly<{ requestTimeoutMs: number }>,
  nowMs: number,
): boolean => atMs <= nowMs && nowMs - atMs <= LOOKUP_FRESH_MS + requestTimeoutMs;

/** Whether the last lookup verification still counts. */
export const isLookupCheckFresh = ({ atMs }: Readonly<{ atMs: number }>, nowMs: number): boolean =>
  atMs <= nowMs && nowMs - atMs <= PROOF_FRESH_MS;
