import { describe, expect, it } from '@jest/globals';
import {
  beyondAtMs,
  elapsedMsAt,
  type FencePolicy,
  isFenceOverdue,
  mayLeave,
  mayStillSend,
  mustBeVisible,
  SENDING_MS_MAX,
  wasBeyondFence,
} from '../../../src/domain/sending/fence.ts';
import type { Attempt, ClockReading, Lookup } from '../../../src/domain/sending/send-record.ts';

const T0 = 1_800_000_000_000;
const WINDOW_MS = 6_000;
const MARGIN_MS = 2_000;
const FENCE_MS = WINDOW_MS + MARGIN_MS;
const POLICY: FencePolicy = {
  timestampWindowMs: WINDOW_MS,
  fenceMarginMs: MARGIN_MS,
  skewMs: 180_000,
  lookupLagMs: 0,
};

const on = (clock: string, ms: number): ClockReading => ({ clock, ms });
const open = (more: Partial<Attempt> = {}): Attempt => ({
  n: 1,
  timestampMs: T0,
  begun: on('a', 1_000),
  outcome: 'AMBIGUOUS',
  ...more,
});

/** A lookup so long after the attempt, by the clock of machine `a`; `dateMs` is how far its `Date` is from our time. */
const look = (
  afterMs: number,
  dateMs: number | undefined = 0,
  more: Partial<Lookup> = {},
): Lookup => ({
  atMs: T0 + afterMs,
  attempts: 1,
  result: 'missed',
  elapsedMs: afterMs,
  asked: on('a', 1_000 + afterMs),
  ...(dateMs === undefined ? {} : { serverDateMs: T0 + afterMs + dateMs }),
  ...more,
});
const undated = (afterMs: number): Lookup => {
  const { serverDateMs: _, ...rest } = look(afterMs);
  return rest;
};

const isBeyond = (lookups: readonly Lookup[], policy: Partial<FencePolicy> = {}): boolean => {
  const record = { attempts: [open()], lookups };
  return wasBeyondFence(lookups.at(-1) as Lookup, record, { ...POLICY, ...policy });
};

it('a request leaves only within its budget, and never before its attempt is stored', () => {
  const leaves = (afterMs: number): boolean =>
    mayLeave({ timestampMs: T0 }, { nowMs: T0 + afterMs, sendBudgetMs: 1_000 });
  expect([-1, 0, 1_000, 1_001].map(leaves)).toEqual([false, true, true, false]);
});

it('a send activity of more than five minutes sends nothing more, nor one whose clock was set back', () => {
  const sends = (afterMs: number): boolean => mayStillSend(T0, T0 + afterMs);
  const times = [-1, 0, SENDING_MS_MAX, SENDING_MS_MAX + 1];
  expect(times.map(sends)).toEqual([false, true, true, false]);
  expect(SENDING_MS_MAX).toBe(300_000);
});

it('a create must be visible once its fence and the whole skew have passed', () => {
  const isVisible = (afterMs: number): boolean => mustBeVisible(T0, POLICY, T0 + afterMs);
  expect([FENCE_MS, FENCE_MS + 180_000, FENCE_MS + 180_001].map(isVisible)).toEqual([
    ...[false, false, true],
  ]);
});

describe('a lookup is beyond the fence', () => {
  it('when our own clock and three Date headers agree', () => {
    expect(isBeyond([look(0), look(2_000), look(FENCE_MS + 1)])).toBe(true);
  });

  it('not before our own clock agrees, with the Date headers of a node that is 40 s ahead', () => {
    const ahead = [0, 2_000, 5_000, 6_000, FENCE_MS].map((afterMs) => look(afterMs, 40_000));
    for (let n = 1; n <= ahead.length; n += 1) expect(isBeyond(ahead.slice(0, n))).toBe(false);
  });

  it('not while one of the last Dates is of a node that is behind', () => {
    const lookups = [look(0), look(2_000, -40_000), look(FENCE_MS + 1), look(FENCE_MS + 39_000)];
    expect(isBeyond(lookups)).toBe(false);
    expect(isBeyond([...lookups, look(FENCE_MS + 40_001)])).toBe(true);
  });

  it('though one of many Date headers was wrong: ten more answers replace it', () => {
    const wrong = look(FENCE_MS + 1, -300_000);
    const later = Array.from({ length: 10 }, (_, n) => look(FENCE_MS + 1_000 + n * 1_000));
    expect(isBeyond([wrong, ...later.slice(0, 9)])).toBe(false);
    expect(isBeyond([wrong, ...later])).toBe(true);
  });

  it('not by fewer than three Dates, unless the whole skew has passed as well', () => {
    expect(isBeyond([look(0), look(FENCE_MS + 1)])).toBe(false);
    expect(isBeyond([look(FENCE_MS + 180_000)])).toBe(false);
    expect(isBeyond([look(FENCE_MS + 180_001)])).toBe(true);
  });

  it('only after the whole skew where the service shows no Date, or not on this answer', () => {
    expect(isBeyond([undated(0), undated(2_000), undated(FENCE_MS + 180_000)])).toBe(false);
    expect(isBeyond([undated(0), undated(2_000), undated(FENCE_MS + 180_001)])).toBe(true);
    expect(isBeyond([look(0), look(1_000), look(2_000), undated(FENCE_MS + 1)])).toBe(false);
  });

  it('never by a Date that stands still, as one of a cache does', () => {
    const stale = [0, 2_000, 300_000].map((afterMs) => look(afterMs, -afterMs));
    expect(isBeyond(stale)).toBe(false);
  });

  it('by the Dates of its own clock alone: those that another machine saw can only delay it', () => {
    const others = [0, 2_000].map((afterMs) => look(afterMs, 0, { asked: on('b', afterMs) }));
    expect(isBeyond([...others, look(FENCE_MS + 1)])).toBe(false);
    const behind = look(2_000, -40_000, { asked: on('b', 2_000) });
    const ours = [look(3_000), look(4_000), look(FENCE_MS + 1)];
    expect(isBeyond(ours)).toBe(true);
    expect(isBeyond([behind, ...ours])).toBe(false);
    const slightly = look(2_000, -2_000, { asked: on('b', 2_000) });
    expect(isBeyond([slightly, ...ours])).toBe(false);
    const by = look(FENCE_MS + 2_001);
    expect(isBeyond([slightly, look(3_000), look(4_000), by])).toBe(true);
  });

  it('never by a lookup of a version that did not store its time', () => {
    const { asked: _, elapsedMs: _elapsed, ...older } = look(3_600_000);
    expect(isBeyond([older])).toBe(false);
  });

  it('after three times the longest lag of lookups, where that is more than the margin', () => {
    const lookups = [look(0), look(2_000), look(FENCE_MS + 1)];
    expect(isBeyond(lookups, { lookupLagMs: 667 })).toBe(false);
    expect(isBeyond(lookups, { lookupLagMs: 666 })).toBe(true);
  });
});

describe('time since an attempt', () => {
  const elapsed = (
    attempts: readonly Attempt[],
    lookups: readonly Lookup[],
    now: ClockReading,
  ): number => elapsedMsAt({ attempts, lookups }, now);

  it('is counted by the clock that stored it, through any restart of the worker', () => {
    expect(elapsed([open()], [], on('a', 9_000))).toBe(8_000);
  });

  it('is nothing for a machine that meets the chunk for the first time, and grows from there', () => {
    expect(elapsed([open()], [], on('b', 900_000))).toBe(0);
    const first = look(0, 0, { asked: on('b', 900_000) });
    expect(elapsed([open()], [first], on('b', 905_000))).toBe(5_000);
  });

  it('continues from the time that another machine has proven, so that work that moves between machines ends', () => {
    const proven = look(200_000, 0, { asked: on('b', 900_000) });
    expect(elapsed([open()], [proven], on('c', 5))).toBe(200_000);
  });

  it('does not count where the clock is below the stored one: then it is another clock', () => {
    expect(elapsed([open()], [], on('a', 999))).toBe(0);
  });

  it('of an attempt that an older version wrote down counts from the first lookup', () => {
    const { begun: _, ...older } = open();
    expect(elapsed([older], [], on('a', 900_000))).toBe(0);
    const first = look(0, 0, { asked: on('a', 900_000) });
    expect(elapsed([older], [first], on('a', 903_000))).toBe(3_000);
  });

  it('is that of the newest open attempt', () => {
    const second = open({ n: 2, begun: on('a', 5_000) });
    expect(elapsed([open(), second], [look(3_600_000)], on('a', 9_000))).toBe(4_000);
    expect(elapsed([open(), { ...second, outcome: 'NOT_SENT' }], [], on('a', 9_000))).toBe(8_000);
  });
});

describe('the next lookup', () => {
  const nextAfter = (lookups: readonly Lookup[]): number =>
    beyondAtMs(lookups.at(-1), { attempts: [open()], lookups }, POLICY) - T0;

  it('comes in the second in which the fence has passed', () => {
    expect(nextAfter([look(0), look(2_000), look(5_000)])).toBe(FENCE_MS + 1_001);
    expect(nextAfter([look(0, -900), look(2_000), look(5_000)])).toBe(FENCE_MS + 900 + 1_001);
    expect(nextAfter([undated(0), undated(5_000)])).toBe(FENCE_MS + 180_000 + 1);
  });

  it('comes at once where nothing but a Date is missing', () => {
    expect(nextAfter([look(0), look(FENCE_MS + 1)])).toBe(FENCE_MS + 251);
  });

  it('comes at its usual time after one that showed no Date, or that was beyond', () => {
    expect(nextAfter([look(0), look(2_000), undated(FENCE_MS + 1)])).toBe(Infinity);
    expect(nextAfter([look(0), look(2_000), look(FENCE_MS + 1)])).toBe(Infinity);
  });
});

it('a Date header that stands still does not delay a chunk forever', () => {
  const lookups = [0, 2_000, 1_100_000].map((afterMs) => look(afterMs, -afterMs));
  const record = { attempts: [open()], lookups };
  expect(isFenceOverdue(record, POLICY, 900_000)).toBe(true);
  expect(isFenceOverdue({ ...record, lookups: lookups.slice(0, 2) }, POLICY, 900_000)).toBe(false);
  const patienceEndsMs = FENCE_MS + 180_000 + 900_000;
  const until = (afterMs: number) => ({ ...record, lookups: [look(afterMs, -afterMs)] });
  expect(isFenceOverdue(until(patienceEndsMs), POLICY, 900_000)).toBe(false);
  expect(isFenceOverdue(until(patienceEndsMs + 1), POLICY, 900_000)).toBe(true);
});
