import { SENDING_MS_MAX } from './fence.ts';
import type { Lookup, SendRecord } from './send-record.ts';

/** An answer older than this, beside the time that it may take to come, is asked for again before a send. Milliseconds. */
const LOOKUP_FRESH_MS = 10_000;
/** How long it counts that a lookup was just seen to find what there is, in milliseconds: as long as one sending of a chunk. */
const PROOF_FRESH_MS = SENDING_MS_MAX;

/** How long failing lookups are tried again, before a first send and after a fence, until a person is asked. Milliseconds. */
export const LOOKUP_PATIENCE_MS = 900_000;
/** Lookups that are further apart than this were not made in one go, in milliseconds: longer than any wait between two. */
const LOOKUP_PAUSE_MS = 300_000;

/** A lookup from the future was made by another clock, or before this one was set back: it says nothing about now. */
export const lookupsSinceLastAttempt = (record: SendRecord, nowMs: number): readonly Lookup[] =>
  record.lookups.filter(
    ({ attempts, atMs }) => attempts === record.attempts.length && atMs <= nowMs,
  );

/** Whether every lookup since the last one that was no failure has failed, in one go, for longer than a person should wait to hear of it. */
export function isFailingTooLong(lookups: readonly Lookup[], nowMs: number): boolean {
  const lastTold = lookups.findLastIndex(({ result }) => result !== 'failed');
  return nowMs - inOneGoSinceMs(lookups.slice(lastTold + 1), nowMs) > LOOKUP_PATIENCE_MS;
}

/**
 * Whether a lookup before the first send needs no record: nothing can be on its way, so a miss is worth nothing later. The
 * miss after a failure is kept. Else failures with misses between them would look like a service that is down.
 */
export const isWorthNothing = (
  { lookups }: Pick<SendRecord, 'lookups'>,
  result: Lookup['result'],
): boolean =>
  (result === 'missed' || result === 'unavailable') && lookups.at(-1)?.result !== 'failed';

/** Since when lookups were made without a pause: nobody asked for anything while people held the batch, or no worker was there. */
export function inOneGoSinceMs(lookups: readonly Lookup[], nowMs: number): number {
  let sinceMs = nowMs;
  for (const { atMs } of lookups.toReversed()) {
    if (sinceMs - atMs > LOOKUP_PAUSE_MS) break;
    sinceMs = atMs;
  }
  return sinceMs;
}

/** Whether an answer tells of now: it may have taken as long to come as an answer may. */
export const isFresh = (
  { atMs }: Pick<Lookup, 'atMs'>,
  { requestTimeoutMs }: Readonly<{ requestTimeoutMs: number }>,
  nowMs: number,
): boolean => atMs <= nowMs && nowMs - atMs <= LOOKUP_FRESH_MS + requestTimeoutMs;

/** Whether a proof that lookups find what there is still counts. */
export const isProofFresh = ({ atMs }: Readonly<{ atMs: number }>, nowMs: number): boolean =>
  atMs <= nowMs && nowMs - atMs <= PROOF_FRESH_MS;
