import { describe, expect, it } from '@jest/globals';
import { missedRuns, MISSED_MAX } from '../../../src/domain/schedule/missed.ts';
import {
  decideClaim,
  RUN_STATES,
  type RunRecord,
  type RunState,
} from '../../../src/domain/schedule/run-state.ts';
import { findRun, nextRuns } from '../../../src/domain/schedule/runs.ts';
import { isStale, LISTED_RUNS, timetableOf } from '../../../src/domain/schedule/timetable.ts';
import { at, timing } from './support/timings.ts';

const daily = timing({ cron: '0 9 * * *', timezone: 'UTC' });
const dueMs = at('2026-05-04T09:00:00Z');
const run = findRun(daily, '2026-05-04T09:00');
if (run === undefined) throw new Error('the rule has this run');

const record = (state: RunState, more: Partial<RunRecord> = {}): RunRecord => ({
  nominal: run.nominal,
  dueAtMs: dueMs,
  state,
  claimedBy: 'first',
  batchId: null,
  rejected: 0,
  fileName: null,
  fileSha256: null,
  detail: '',
  changedAtMs: dueMs,
  ...more,
});

const claim = (more: Partial<Parameters<typeof decideClaim>[0]> = {}) =>
  decideClaim({
    run,
    record: undefined,
    pausedNote: null,
    isByHand: false,
    claimant: 'second',
    nowMs: dueMs,
    ...more,
  });

describe('a claim of a run', () => {
  it('is granted when it is due, up to the last millisecond of its catch-up time', () => {
    expect(claim().kind).toBe('claim');
    expect(claim({ nowMs: dueMs + 600_000 }).kind).toBe('claim');
    expect(claim({ nowMs: dueMs + 600_001 })).toEqual({
      kind: 'miss',
      reason: 'it could begin only 10 minutes after its due time, and 10 minutes are allowed',
    });
  });

  it('is refused before it begins, except within the difference of clocks', () => {
    const early = { kind: 'early' };
    expect(claim({ nowMs: dueMs - 7 * 86_400_000 })).toEqual(early);
    expect(claim({ nowMs: dueMs - 60_001 })).toEqual(early);
    expect(claim({ nowMs: dueMs - 60_000 }).kind).toBe('claim');
    // Nothing is written of it then, so that its schedule still begins it.
    expect(claim({ nowMs: dueMs - 60_001, pausedNote: 'holidays' })).toEqual(early);
    expect(claim({ nowMs: dueMs - 60_001, record: record('FAILED') })).toEqual(early);
    expect(claim({ nowMs: dueMs - 60_001, record: record('ENDED') }).kind).toBe('taken');
    expect(claim({ nowMs: dueMs - 60_001, isByHand: true }).kind).toBe('claim');
  });

  it('is granted from its lead on', () => {
    const led = findRun({ ...daily, leadMs: 3_600_000 }, run.nominal);
    if (led === undefined) throw new Error('the rule has this run');
    expect(claim({ run: led, nowMs: dueMs - 3_600_000 }).kind).toBe('claim');
    expect(claim({ run: led, nowMs: dueMs - 3_660_001 }).kind).toBe('early');
  });

  it('is refused while the schedule is paused', () => {
    expect(claim({ pausedNote: 'holidays' })).toEqual({
      kind: 'skip',
      reason: 'the schedule was paused: holidays',
    });
  });

  it('is granted at any time, and paused, when a person starts it', () => {
    const asked = { isByHand: true, pausedNote: 'x', nowMs: dueMs + 9e9 };
    expect(claim(asked).kind).toBe('claim');
  });

  it.each(RUN_STATES)('of a run that is %s is granted only if it never began', (state) => {
    const isWithoutBatch = ['FAILED', 'MISSED', 'SKIPPED'].includes(state);
    expect(claim({ record: record(state) }).kind).toBe(state === 'FAILED' ? 'claim' : 'taken');
    expect(claim({ record: record(state), isByHand: true }).kind).toBe(
      isWithoutBatch ? 'claim' : 'taken',
    );
  });

  it.each(RUN_STATES)('of its own run, %s, continues it unless it is over', (state) => {
    const goesOn = ['STARTED', 'RUNNING', 'FAILED'].includes(state);
    const own = { record: record(state), claimant: 'first' };
    expect(claim(own).kind).toBe(goesOn ? 'claim' : 'taken');
  });

  it.each(['first', 'second'])('long after its failure is too late: %s', (claimant) => {
    const late = { record: record('FAILED'), claimant, nowMs: dueMs + 700_000 };
    expect(claim(late).kind).toBe('miss');
  });

  it('of a failed run is refused while the schedule is paused', () => {
    expect(claim({ record: record('FAILED'), pausedNote: 'holidays' }).kind).toBe('skip');
  });
});

describe('a run that did not begin', () => {
  const DOWN = 'nobody knows why';
  const createdAtMs = at('2026-05-01T12:00:00Z');
  const look = (more: Partial<Parameters<typeof missedRuns>[0]> = {}) => {
    const { missed, untilMs } = missedRuns({
      timing: daily,
      createdAtMs,
      paused: null,
      records: [],
      otherwise: DOWN,
      blocking: more.records ?? [],
      fromMs: createdAtMs,
      toMs: at('2026-05-04T09:10:00Z'),
      ...more,
    });
    return {
      untilMs,
      missed: missed.map(({ run: { nominal }, state, reason }) => [
        nominal.slice(8, 10),
        state,
        reason,
      ]),
    };
  };

  it('is missed once its catch-up time is over', () => {
    expect(look().missed.map(([day]) => day)).toEqual(['02', '03', '04']);
    expect(look().missed[0]).toEqual(['02', 'MISSED', DOWN]);
    const before = look({ toMs: at('2026-05-04T09:09:59Z') });
    expect(before.missed.map(([day]) => day)).toEqual(['02', '03']);
  });

  it('is found once: the next health check begins behind it', () => {
    const first = look();
    expect(look({ fromMs: first.untilMs }).missed).toEqual([]);
  });

  it('is not missed when it is stored, with any end', () => {
    const records = RUN_STATES.map((state, i) =>
      record(state, { nominal: `2026-05-0${2 + (i % 3)}T09:00`, changedAtMs: 0 }),
    );
    expect(look({ records }).missed).toEqual([]);
  });

  it('does not belong to a schedule that was made later, or that had no time to begin it', () => {
    expect(look({ createdAtMs: at('2026-05-03T09:00:00Z') }).missed.map(([day]) => day)).toEqual([
      '04',
    ]);
  });

  it('is skipped while the schedule is paused', () => {
    const paused = { sinceMs: at('2026-05-03T08:00:00Z'), note: 'audit' };
    expect(look({ paused }).missed).toEqual([
      ['02', 'MISSED', DOWN],
      ['03', 'SKIPPED', 'the schedule was paused: audit'],
      ['04', 'SKIPPED', 'the schedule was paused: audit'],
    ]);
  });

  it('names the run that it waited for', () => {
    const open = record('RUNNING', {
      nominal: '2026-05-02T09:00',
      dueAtMs: at('2026-05-02T09:00Z'),
    });
    expect(look({ records: [open] }).missed[0]?.[2]).toBe(
      'the run for 2026-05-02T09:00 was still under way',
    );
    const ended = { ...open, state: 'ENDED' as const, changedAtMs: at('2026-05-03T10:00:00Z') };
    expect(look({ records: [ended] }).missed).toEqual([
      ['03', 'MISSED', 'the run for 2026-05-02T09:00 was still under way'],
      ['04', 'MISSED', DOWN],
    ]);
  });

  it('is found among thousands, some at a time', () => {
    const often = timing({ cron: '*/5 * * * *', timezone: 'UTC' });
    let found = 0;
    let fromMs = createdAtMs;
    const toMs = createdAtMs + 2 * 86_400_000;
    for (let looks = 0; fromMs < toMs; looks += 1) {
      const { missed, untilMs } = missedRuns({
        timing: often,
        createdAtMs,
        paused: null,
        records: [],
        blocking: [],
        fromMs,
        toMs,
        otherwise: DOWN,
      });
      expect(missed.length).toBeLessThanOrEqual(MISSED_MAX);
      expect(looks).toBeLessThan(20);
      found += missed.length;
      fromMs = untilMs;
    }
    // The last of each full look is found again by the next.
    const runs = (2 * 1_440) / 5 - 2;
    expect(found - runs).toBeLessThan(10);
    expect(found).toBeGreaterThanOrEqual(runs);
  });
});

describe('the list in Temporal', () => {
  const nowMs = at('2026-05-04T09:05:00Z');

  it('has the runs that may still begin late, and the runs ahead', () => {
    const list = timetableOf(daily, nowMs);
    expect(list[0]).toEqual({ startAtMs: dueMs, nominals: ['2026-05-04T09:00'] });
    expect(list).toHaveLength(LISTED_RUNS + 1);
    expect(list.slice(1).map(({ startAtMs }) => startAtMs)).toEqual(
      nextRuns(daily, nowMs, LISTED_RUNS).map(({ startAtMs }) => startAtMs),
    );
  });

  it('has one entry for runs that begin together', () => {
    const together = timing({ cron: '0 9 * * *', shift: 'before', timezone: 'UTC' });
    const [friday] = timetableOf(together, at('2026-05-29T00:00:00Z')).slice(-LISTED_RUNS);
    expect(
      timetableOf(together, at('2026-05-29T00:00:00Z')).map(({ nominals }) => nominals.length),
    ).toContain(3);
    expect(friday).toBeDefined();
  });

  it('is written again when half of it is over, or when a run moved', () => {
    const wanted = timetableOf(daily, nowMs);
    const listed = wanted.map(({ startAtMs }) => startAtMs);
    expect(isStale(listed, wanted, nowMs)).toBe(false);
    expect(isStale(listed.slice(0, 40), wanted, nowMs)).toBe(false);
    expect(isStale(listed.slice(0, 30), wanted, nowMs)).toBe(true);
    expect(isStale([], wanted, nowMs)).toBe(true);
    const later = nowMs + 20 * 86_400_000;
    expect(isStale(listed, timetableOf(daily, later), later)).toBe(false);
    const shifted = listed.map((ms) => ms + 3_600_000);
    expect(isStale(shifted, wanted, nowMs)).toBe(true);
    expect(isStale([...listed, nowMs + 1_000], wanted, nowMs)).toBe(true);
  });
});
