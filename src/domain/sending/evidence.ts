import { type FencePolicy, LAG_FACTOR, wasBeyondFence } from './fence.ts';
import { openAttempts } from './doubt.ts';
import type { AttemptOutcome, ClockReading, Lookup, SendRecord } from './send-record.ts';

/**
 * Misses from beyond the fence that a second create needs. Example: the service answers from two replicas, and one of
 * them never receives new mass payouts. Each miss is read on a connection of its own, so five misses are not five
 * answers of that one replica.
 */
export const MISSES_MIN = 5;

/**
 * Answers that must find an existing mass payout before a miss counts. Lookups that miss every second time pass this
 * once in a thousand times.
 */
export const HITS_MIN = 10;

/** The misses are spread over this part of the fence's margin: a quarter, 15 seconds with the default margin. */
const MARGIN_PARTS = 4;

/** Wait after a lookup without an answer while misses are collected, in milliseconds. */
const RETRY_DELAY_MS = 2_000;

/** How long the first and the last of the misses must lie apart, in milliseconds. */
export const missSpreadMs = ({
  fenceMarginMs,
  lookupLagMs,
}: Pick<FencePolicy, 'fenceMarginMs' | 'lookupLagMs'>): number =>
  Math.ceil(Math.max(0, fenceMarginMs, LAG_FACTOR * lookupLagMs) / MARGIN_PARTS);

/**
 * Lookups since the last attempt, the oldest first. `beyond`: those that were made beyond its fence. A failed lookup shows no
 * `Date`, so it can be the newest and not yet be among them.
 */
type LookupsBeyond = Readonly<{ beyond: readonly Lookup[]; newest: Lookup | undefined }>;

/** When the next lookup is due, while the misses are too few or too close together; undefined when they are enough. */
export function nextMissMs(
  { beyond, newest }: LookupsBeyond,
  policy: Pick<FencePolicy, 'fenceMarginMs' | 'lookupLagMs'>,
): number | undefined {
  const spreadMs = missSpreadMs(policy);
  const missed = beyond.filter(({ result }) => result === 'missed');
  const [first] = missed;
  const last = missed.at(-1);
  if (first === undefined || last === undefined || newest === undefined) return 0;
  if (missed.length >= MISSES_MIN && apartMs(first, last) >= spreadMs) return undefined;
  const stepMs = Math.ceil(spreadMs / (MISSES_MIN - 1));
  return newest.atMs + (newest.result === 'missed' ? stepMs : Math.max(stepMs, RETRY_DELAY_MS));
}

/**
 * How far two lookups lie apart, at the least. The wall clock can be set, and the time since the create is a lower bound where
 * machines changed. So both count, and the smaller one wins.
 */
const apartMs = (first: Lookup, last: Lookup): number =>
  Math.min(last.atMs - first.atMs, (last.elapsedMs ?? 0) - (first.elapsedMs ?? 0));

/**
 * Whether a lookup found the mass payout of a chunk after a lookup beyond the fence had missed it. Then a miss of this
 * service proves nothing: either its lookups leave out what exists, or it accepts creates after their time. Any create
 * may have made what was found, so only misses after the newest one count. Example: create 1 is missed beyond the fence,
 * and create 2 is accepted. A worker that has read create 1 alone then finds the mass payout of create 2.
 */
export function wasFoundAfterMiss(record: SendRecord, policy: FencePolicy): boolean {
  const found = record.lookups.findLast(({ result }) => result === 'found');
  if (found === undefined || openAttempts(record).length === 0) return false;
  const makers = record.attempts.filter(({ outcome }) => MAY_HAVE_CREATED.includes(outcome));
  const newestN = Math.max(0, ...makers.map(({ n }) => n));
  return record.lookups.some(
    (lookup) =>
      lookup.result === 'missed' &&
      lookup.attempts >= newestN &&
      lookup.atMs < found.atMs &&
      wasBeyondFence(lookup, record, policy),
  );
}

/**
 * Whether a second create left for a chunk after one that may have arrived. The key of such a chunk is looked up again
 * before its outcome is final: a second mass payout must not stay unseen.
 */
export const wasCreatedAgain = ({ attempts }: Pick<SendRecord, 'attempts'>): boolean =>
  attempts.filter(({ outcome }) => MAY_HAVE_CREATED.includes(outcome)).length > 1;

/**
 * Whether such a second create rested on lookups that missed the key. Then lookups must find its mass payout. A person
 * who stated that nothing was created, or who adopted a mass payout, decided instead of the lookups.
 */
export const wasSentOnMisses = ({
  attempts,
  answer,
}: Pick<SendRecord, 'attempts' | 'answer'>): boolean => {
  const clearedN = answer?.kind === 'not-created' ? answer.attempts : 0;
  return (
    answer?.kind !== 'adopt' &&
    wasCreatedAgain({ attempts: attempts.filter(({ n }) => n > clearedN) })
  );
};

/**
 * Whether that last lookup is due: two fences after the newest create, by the wall clock and by each steady clock that
 * measured a create. The rows get no outcome before. Example: window and margin are 6 minutes together. The service
 * accepts the first create 7 minutes after its signature, though it should refuse it. By then a second create was
 * accepted, and its rows are paid. A lookup at once would miss the first one. Lookups do not find a create that is
 * accepted later than this. Where the balance proves anything, it shows the money.
 */
export function areOthersDue(
  { attempts }: Pick<SendRecord, 'attempts'>,
  { timestampWindowMs, fenceMarginMs }: Pick<FencePolicy, 'timestampWindowMs' | 'fenceMarginMs'>,
  { nowMs, reading }: Readonly<{ nowMs: number; reading: ClockReading }>,
): boolean {
  const lateMs = 2 * (timestampWindowMs + fenceMarginMs);
  return attempts.every(({ timestampMs, begun }) => {
    const isSteady = begun !== undefined && begun.clock === reading.clock;
    return nowMs >= timestampMs + lateMs && (!isSteady || reading.ms - begun.ms >= lateMs);
  });
}

/** Outcomes of attempts that may have made a mass payout. A throttled one is left out: the service took none of those. */
export const MAY_HAVE_CREATED: readonly AttemptOutcome[] = ['PENDING', 'AMBIGUOUS', 'ACCEPTED'];
