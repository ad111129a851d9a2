import { mayHaveArrived, openAttempts } from './doubt.ts';
import type { Attempt, ClockReading, Lookup, SendRecord } from './send-record.ts';
import { surelyTakenMs } from './time-settings.ts';

/** How long after an attempt the service may still accept it. All in milliseconds. */
export type FencePolicy = Readonly<{
  /** How far a timestamp may lie from the service's clock; the service refuses older ones. */
  timestampWindowMs: number;
  /** Added on top, for clocks of several machines behind one address. */
  fenceMarginMs: number;
  /** How far the two clocks may differ while the service has not shown enough `Date`s. */
  skewMs: number;
  /** The longest time that the lookup was seen to lag behind a create. */
  lookupLagMs: number;
}>;

/** The lookup must be three times as old as its worst lag before a miss counts. */
export const LAG_FACTOR = 3;

/**
 * How long one sending of a chunk may take, in milliseconds. A worker that takes longer was frozen: another worker
 * sends by now, and the reads of the first are old, so it may send nothing any more.
 */
export const SENDING_MS_MAX = 300_000;

/** Whether a sending may still send: its reads are not too old. Milliseconds since 1970. */
export const mayStillSend = (begunAtMs: number, nowMs: number): boolean =>
  nowMs >= begunAtMs && nowMs - begunAtMs <= SENDING_MS_MAX;

/** How old the decision to send may be when its create gets a place, in milliseconds: it rests on a lookup. */
const DECISION_MS_MAX = 10_000;

/** Whether a decision to send still holds; both by a clock that never jumps. */
export const isDecisionFresh = (decidedMs: number, nowMs: number): boolean =>
  nowMs - decidedMs <= DECISION_MS_MAX;

/**
 * Waits before each question for a mass payout that was just created, in milliseconds. A service that shows it later than
 * that has not proven its lookup.
 */
const VERIFY_DELAYS_MS = [0, 100, 300, 600, 1_000, 2_000, 4_000] as const;
/** Wait before each question after those, while the last one got no answer, in milliseconds. */
const PROOF_RETRY_MS = 1_000;
const VERIFY_RETRIES_MAX = 10;

/**
 * The wait before the next lookup of a mass payout that was just created, in milliseconds; undefined: no more lookups.
 * `asked`: lookups so far. `last`: the result of the last one. Example: the service shows a mass payout 3 s after its
 * create, and breaks four of ten answers. The lookups before 3 s miss it. The two after that get no answer. Without
 * another lookup the service would lose its proof, though it kept its rules.
 */
export function nextVerifyDelayMs(
  asked: number,
  last: Lookup['result'] | undefined,
): number | undefined {
  const usualMs = VERIFY_DELAYS_MS[asked];
  if (usualMs !== undefined) return usualMs;
  const isRetried = last === 'failed' && asked < VERIFY_DELAYS_MS.length + VERIFY_RETRIES_MAX;
  return isRetried ? PROOF_RETRY_MS : undefined;
}

/** A lag that seems longer than this was not one of the service: the measuring worker was frozen. Milliseconds. */
const PROOF_LAG_MS_MAX = 60_000;

/**
 * The longest lag of the lookup behind a create that it found, in milliseconds; undefined when it cannot be measured.
 * It is counted from the answer to the create, if that came within the wait, and else from its signature.
 */
export function lagOf(
  attempts: readonly Attempt[],
  { askedAtMs, requestTimeoutMs }: Readonly<{ askedAtMs: number; requestTimeoutMs: number }>,
): number | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  const { timestampMs, endedMs, outcome } = last;
  const wasAwaited = outcome === 'ACCEPTED' && endedMs !== undefined;
  const sinceMs = wasAwaited && endedMs - timestampMs <= requestTimeoutMs ? endedMs : timestampMs;
  const lagMs = Math.max(0, askedAtMs - sinceMs);
  return lagMs <= PROOF_LAG_MS_MAX ? lagMs : undefined;
}

/** The longest lag that one verification can measure, in milliseconds: the sum of its waits. */
const MEASURED_LAG_MS_MAX = VERIFY_DELAYS_MS.reduce<number>((sum, delayMs) => sum + delayMs, 0);

/**
 * Whether a lag shows when the lookup was made, and not when the service showed the mass payout. `asked`: lookups before the
 * one that found it. Example: a worker is lost after a create, and the next worker looks the key up 40 s later. That first
 * lookup finds it. The lag of the service may be 40 s or 40 ms.
 */
export const isRoughLag = (lagMs: number, asked: number): boolean =>
  asked === 0 && lagMs > MEASURED_LAG_MS_MAX;

/**
 * Whether a request may leave: only shortly after its attempt was written down. A process that was stopped in between wakes
 * up with a timestamp that is too old to send. Times in milliseconds.
 */
export const mayLeave = (
  { timestampMs }: Pick<Attempt, 'timestampMs'>,
  { nowMs, sendBudgetMs }: Readonly<{ nowMs: number; sendBudgetMs: number }>,
): boolean => nowMs >= timestampMs && nowMs - timestampMs <= sendBudgetMs;

/**
 * Whether the age of its timestamp alone may be why the service refused an attempt. Example: the service takes timestamps of
 * 180 s, and a frozen machine delivers the request after 190 s. Nothing is wrong with its rows, so they must not become FAILED.
 */
export const wasRefusedForAge = (
  { timestampMs, endedMs = timestampMs }: Attempt,
  policy: FencePolicy,
): boolean => endedMs - timestampMs >= surelyTakenMs(policy);

/** `Date`s of different answers that stand for the service's clock; fewer do not, and the whole skew is added. */
export const DATES_MIN = 3;
/** The newest `Date`s that are compared: a node that was wrong for a while is forgotten after so many answers. */
const DATES_KEPT = 10;
/** `Date` counts whole seconds, so a fresh one can be almost a second behind what older ones promise. */
const DATE_STEP_MS = 1_000;
/** Wait between two questions that are put only to see another `Date`, in milliseconds. */
const DATE_GAP_MS = 250;

/** How long after its timestamp an attempt can be accepted, with the margin. Milliseconds. */
const fenceLengthMs = ({ timestampWindowMs, fenceMarginMs, lookupLagMs }: FencePolicy): number =>
  timestampWindowMs + Math.max(fenceMarginMs, LAG_FACTOR * lookupLagMs);

/** The service's time after which it refuses every attempt that may still be on its way. */
export function fenceAtServerMs(attempts: readonly Attempt[], policy: FencePolicy): number {
  const known = attempts.filter(mayHaveArrived).map(({ timestampMs }) => timestampMs);
  return Math.max(0, ...known) + fenceLengthMs(policy);
}

/**
 * Whether a create that was signed then must be visible to lookups, or was refused. By the clock of the machine alone: where that
 * is wrong, the answer costs a question to a person and no money.
 */
export const mustBeVisible = (signedAtMs: number, policy: FencePolicy, nowMs: number): boolean =>
  nowMs > signedAtMs + fenceLengthMs(policy) + policy.skewMs;

type Sent = Pick<SendRecord, 'attempts' | 'lookups' | 'answer'>;

/**
 * The shortest possible time since the newest open attempt was stored, by a clock that never jumps. Milliseconds. The
 * attempt carries a reading of the clock of the machine that sent it. A worker with another clock counts from its own
 * first lookup of the chunk, plus all time that earlier lookups had proven by then. Example: worker A sends and its
 * machine is lost. Worker B, on another machine, looks the key up 10 s later and counts from 0. Worker C, on a third
 * one, looks it up when B has proven 200 s, and counts from 200 s.
 */
export function elapsedMsAt(record: Sent, now: ClockReading): number {
  const marks = openAttempts(record).map(({ begun }) => betweenMs(begun, now));
  const bySightings = sightings(record).map(
    ({ asked, elapsedMs = 0 }) => elapsedMs + betweenMs(asked, now),
  );
  return Math.max(marks.length === 0 ? 0 : Math.min(...marks), 0, ...bySightings);
}

/** Time between two readings of one clock; 0 where the clocks differ, or the later reading is below the earlier one. */
const betweenMs = (from: ClockReading | undefined, to: ClockReading): number =>
  from === undefined || from.clock !== to.clock ? 0 : Math.max(0, to.ms - from.ms);

/** Lookups that were made when every open attempt had been stored. */
function sightings(record: Sent): readonly Lookup[] {
  const newestN = Math.max(0, ...openAttempts(record).map(({ n }) => n));
  return record.lookups.filter(
    ({ attempts, elapsedMs }) => elapsedMs !== undefined && attempts >= newestN,
  );
}

/**
 * Whether lookups were made for this long after the fence by our clock and the whole skew. No lookup decided anything:
 * each failed, or its `Date` stands still or lies far behind. Then waiting does not help.
 */
export function isFenceOverdue(record: Sent, policy: FencePolicy, patienceMs: number): boolean {
  const longestMs = Math.max(0, ...sightings(record).map(elapsedOf));
  return longestMs > fenceLengthMs(policy) + policy.skewMs + patienceMs;
}

const elapsedOf = ({ elapsedMs = 0 }: Lookup): number => elapsedMs;

/** The facts about time at a lookup. */
type Evidence = Readonly<{
  elapsedMs: number;
  /** `Date`s of different answers since the attempt. */
  dates: number;
  /** The smallest of them, each moved on to the lookup by our own clock. Undefined: none was shown. */
  serverMs: number | undefined;
}>;

/** Undefined for a lookup that proves nothing about the open attempts. */
function evidenceOf(lookup: Lookup, record: Sent): Evidence | undefined {
  const { asked, elapsedMs } = lookup;
  const known = sightings(record);
  if (asked === undefined || elapsedMs === undefined || !known.includes(lookup)) return undefined;
  const dates = known
    .flatMap((one) => dateOf(one, { asked, elapsedMs }))
    .sort((a, b) => a.elapsedMs - b.elapsedMs)
    .slice(-DATES_KEPT);
  const serverMs = dates.length === 0 ? undefined : Math.min(...dates.map(({ nowMs }) => nowMs));
  return { elapsedMs, dates: dates.filter(({ isOurs }) => isOurs).length, serverMs };
}

/**
 * The `Date` of an earlier lookup, moved on to a later one. Only our own clock measures the time between the two exactly. A
 * `Date` that another machine saw is moved on by what both have proven: it can delay the fence, but not count for it.
 */
function dateOf(
  { asked: at, elapsedMs: sinceMs = 0, serverDateMs }: Lookup,
  { asked, elapsedMs }: Readonly<{ asked: ClockReading; elapsedMs: number }>,
): readonly Readonly<{ elapsedMs: number; nowMs: number; isOurs: boolean }>[] {
  if (serverDateMs === undefined || sinceMs > elapsedMs) return [];
  const isOurs = at?.clock === asked.clock && at.ms <= asked.ms;
  const laterMs = isOurs ? betweenMs(at, asked) : elapsedMs - sinceMs;
  return [{ elapsedMs: sinceMs, nowMs: serverDateMs + laterMs, isOurs }];
}

/**
 * Whether a lookup was made when no open attempt could be accepted any more. Both clocks must show it:
 * 1. our own clock: window and margin have passed since the attempt was stored;
 * 2. the service's clock: the smallest of several `Date`s lies beyond timestamp, window and margin.
 *
 * A single `Date` proves nothing. Example: margin 2 s, and one of several nodes is 40 s ahead. That node would show the
 * fence as passed 40 s early, while the other nodes still accept the attempt. Our own clock prevents that. A node that
 * is behind accepts for longer than our clock shows. Its `Date` prevents that, and the smallest one counts.
 *
 * The proof needs one of two for every node that accepts creates: it is behind our clock at the signature by half the
 * margin at most, or behind the smallest `Date` by as much. The other half covers the lag of lookups and the rate of
 * clocks.
 */
export function wasBeyondFence(lookup: Lookup, record: Sent, policy: FencePolicy): boolean {
  const evidence = evidenceOf(lookup, record);
  if (evidence === undefined) return false;
  const { elapsedMs, dates, serverMs } = evidence;
  const isShown = lookup.serverDateMs !== undefined && dates >= DATES_MIN;
  const neededMs = fenceLengthMs(policy) + (isShown ? 0 : policy.skewMs);
  if (!(elapsedMs > neededMs)) return false;
  return serverMs === undefined || serverMs > fenceAtServerMs(openAttempts(record), policy);
}

/**
 * When the next lookup can be the first that is beyond the fence, by the clock of `atMs`. Infinity: the usual waits are soon
 * enough. Milliseconds since 1970.
 */
export function beyondAtMs(last: Lookup | undefined, record: Sent, policy: FencePolicy): number {
  const evidence = last === undefined ? undefined : evidenceOf(last, record);
  if (last === undefined || evidence === undefined) return Infinity;
  const { elapsedMs, dates, serverMs } = evidence;
  if (serverMs === undefined) {
    return last.atMs + fenceLengthMs(policy) + policy.skewMs - elapsedMs + 1;
  }
  const byOurClockMs = fenceLengthMs(policy) - elapsedMs + 1;
  const byDateMs = fenceAtServerMs(openAttempts(record), policy) - serverMs + 1;
  if (byOurClockMs > 0 || byDateMs > 0) {
    return last.atMs + Math.max(byOurClockMs, byDateMs) + DATE_STEP_MS;
  }
  const isDateMissing = last.serverDateMs !== undefined && dates < DATES_MIN;
  return isDateMissing ? last.atMs + DATE_GAP_MS : Infinity;
}
