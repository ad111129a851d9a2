import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import {
  alarmOf,
  OPEN_MS_MAX,
  REFUSED_MS_MAX,
  STILL_MS_MAX,
  type PayoutTimes,
  nextPayoutTimes,
} from '../../../src/domain/settling/payout-times.ts';

const NEW: PayoutTimes = { openSinceMs: null, stateSinceMs: null, unreadSinceMs: null };

describe('the watch of a mass payout', () => {
  it('begins with the first read', () => {
    expect(nextPayoutTimes(NEW, { was: 'CONFIRMED', is: 'CONFIRMED', nowMs: 5 })).toEqual({
      openSinceMs: 5,
      stateSinceMs: 5,
      unreadSinceMs: null,
    });
    expect(nextPayoutTimes(NEW, { was: 'CONFIRMED', is: undefined, nowMs: 5 })).toEqual({
      openSinceMs: 5,
      stateSinceMs: null,
      unreadSinceMs: 5,
    });
  });

  it('stays while nothing changes, and starts again for another state', () => {
    const known = { openSinceMs: 1, stateSinceMs: 2, unreadSinceMs: null };
    expect(nextPayoutTimes(known, { was: 'A', is: 'A', nowMs: 9 })).toEqual(known);
    expect(nextPayoutTimes(known, { was: 'A', is: 'B', nowMs: 9 })).toEqual({
      ...known,
      stateSinceMs: 9,
    });
  });

  it('keeps the first of several reads without an answer, until there is one', () => {
    const known = { openSinceMs: 1, stateSinceMs: 2, unreadSinceMs: 3 };
    expect(nextPayoutTimes(known, { was: 'A', is: undefined, nowMs: 9 })).toEqual(known);
    expect(nextPayoutTimes(known, { was: 'A', is: 'A', nowMs: 9 }).unreadSinceMs).toBeNull();
  });
});

describe('an alarm', () => {
  const seen = (state: string | null, nowMs: number, dueMs = 0) => ({ state, nowMs, dueMs });

  it('names an unreadable mass payout before any other problem', () => {
    const watch = { openSinceMs: 0, stateSinceMs: 0, unreadSinceMs: 7 };
    const late = OPEN_MS_MAX + STILL_MS_MAX;
    expect(alarmOf(watch, seen('WHAT', late))).toEqual({ reason: 'NOT_READABLE', sinceMs: 7 });
  });

  it('comes a minute after the first refusal of a mass payout that no read has shown, and not before', () => {
    const watch = { openSinceMs: 0, stateSinceMs: null, unreadSinceMs: 1_000 };
    const refused = (afterMs: number) => ({
      ...seen('CONFIRMED', 1_000 + afterMs),
      isRefused: true,
    });
    expect(alarmOf(watch, refused(REFUSED_MS_MAX - 1))).toBeUndefined();
    const alarm = { reason: 'NEVER_READ', sinceMs: 1_000 };
    expect(alarmOf(watch, refused(REFUSED_MS_MAX))).toEqual(alarm);
    expect(alarmOf(watch, refused(STILL_MS_MAX))).toEqual(alarm);
    expect(alarmOf(watch, seen('CONFIRMED', 1_000 + REFUSED_MS_MAX))).toBeUndefined();
    const wasRead = { ...watch, stateSinceMs: 500 };
    expect(alarmOf(wasRead, refused(REFUSED_MS_MAX))).toBeUndefined();
  });

  it('waits for the execution date of the service, but not for people', () => {
    const watch = { openSinceMs: 0, stateSinceMs: 0, unreadSinceMs: null };
    const dueMs = 10 * OPEN_MS_MAX;
    expect(alarmOf(watch, seen('CONFIRMED', dueMs + OPEN_MS_MAX - 1, dueMs))).toBeUndefined();
    expect(alarmOf(watch, seen('CONFIRMED', dueMs + OPEN_MS_MAX, dueMs))).toEqual({
      reason: 'OVERDUE',
      sinceMs: 0,
    });
    expect(alarmOf(watch, seen('PENDING_CONFIRMATION', STILL_MS_MAX, dueMs))).toEqual({
      reason: 'STANDS_STILL',
      sinceMs: 0,
    });
  });

  it('comes an hour after the first read without an answer, and not before', () => {
    const watch = { openSinceMs: 0, stateSinceMs: 0, unreadSinceMs: 1_000 };
    expect(alarmOf(watch, seen('CONFIRMED', 1_000 + STILL_MS_MAX - 1))).toBeUndefined();
    const sinceMs = 1_000;
    expect(alarmOf(watch, seen('CONFIRMED', sinceMs + STILL_MS_MAX))?.reason).toBe('NOT_READABLE');
  });

  it('comes an hour after a state that does not pass by itself, and not before', () => {
    const watch = { openSinceMs: 0, stateSinceMs: 1_000, unreadSinceMs: null };
    const still = (state: string | null, afterMs: number) =>
      alarmOf(watch, seen(state, 1_000 + afterMs))?.reason;
    expect(still('WHAT', STILL_MS_MAX - 1)).toBeUndefined();
    expect(still('WHAT', STILL_MS_MAX)).toBe('STANDS_STILL');
    expect(still('CONFIRMED', STILL_MS_MAX)).toBeUndefined();
    expect(still(null, STILL_MS_MAX)).toBeUndefined();
  });

  it('comes for nothing that was never read', () => {
    expect(alarmOf(NEW, seen('WHAT', OPEN_MS_MAX * 3))).toBeUndefined();
  });

  it('comes for every mass payout without an end after a day, in any state meanwhile', () => {
    const state = fc.option(fc.oneof(fc.constantFrom(...PAYOUT_STATES), fc.string()), {
      nil: undefined,
    });
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 20 }), state, (states, last) => {
        let watch = NEW;
        let was: string | null = null;
        for (const [nowMs, is] of states.entries()) {
          watch = nextPayoutTimes(watch, { was, is, nowMs });
          was = is ?? was;
        }
        const nowMs = OPEN_MS_MAX + 20;
        watch = nextPayoutTimes(watch, { was, is: last, nowMs });
        expect(alarmOf(watch, seen(last ?? was, nowMs))).toBeDefined();
      }),
    );
  });
});
