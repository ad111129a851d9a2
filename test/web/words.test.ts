import { describe, expect, it } from '@jest/globals';
import type { ApprovalPolicy } from '../../src/domain/approval/policy.ts';
import { BATCH_STATES } from '../../src/domain/batch/batch-state.ts';
import { shareOf, typedAmount } from '../../src/web/words/amounts.ts';
import { approvalNeeds } from '../../src/web/words/approvals.ts';
import { weeksFrom } from '../../src/web/words/calendar.ts';
import { paceOf, withSample } from '../../src/web/words/progress.ts';
import { STATE_GROUPS, statesOf, wordOf } from '../../src/web/words/states.ts';
import { person, policyOf } from '../support/approvers.ts';
import { EN } from '../../src/web/texts/en.ts';
import { holdFacts } from '../../src/web/words/hold-facts.ts';
import { timelineOf } from '../../src/web/words/timeline.ts';
import {
  dateText,
  distanceText,
  hourText,
  durationWords,
  leftText,
  timeText,
} from '../../src/web/words/times.ts';

const PLACE = { language: 'en-GB', timeZone: 'Europe/Berlin' };

describe('an amount on a page', () => {
  it.each([
    ['132,408.20', '132408.20'],
    [' 132408.2 ', '132408.2'],
    ['1,234', '1234'],
    ['12,34', '12,34'],
    ['1.234,56', '1.234,56'],
    ['1,2345.6', '1,2345.6'],
  ])('typed as %s is read as %s', (typed, read) => {
    expect(typedAmount(typed)).toBe(read);
  });

  it('has an exact share of a whole, also where a number would have lost digits', () => {
    expect(shareOf('184768.25', '1000000')).toBe(184);
    expect(shareOf('99999999999999999999999.5', '99999999999999999999999.5')).toBe(1000);
    expect(shareOf('1', '0')).toBe(0);
    expect(shareOf('-1', '10')).toBe(0);
    expect(shareOf('x', '10')).toBe(0);
  });
});

describe('a time on a page', () => {
  it('is that of the zone of the reader, and names it', () => {
    expect(timeText('2026-11-21T09:00:00.000Z', PLACE)).toBe('21 Nov 2026, 10:00 CET');
    expect(timeText('2026-07-21T09:00:00.000Z', PLACE)).toBe('21 Jul 2026, 11:00 CEST');
    expect(hourText('2026-11-21T09:00:00.000Z', PLACE)).toBe('10:00');
    expect(timeText('soon', PLACE)).toBe('soon');
    expect(dateText('2026-11-20T23:30:00.000Z', PLACE)).toBe('21 Nov 2026');
  });

  it('that is a deadline has its distance', () => {
    const now = Date.parse('2026-11-21T09:00:00.000Z');
    expect(distanceText('2026-11-23T08:59:30.000Z', now, PLACE)).toBe('in 2 days');
    expect(distanceText('2026-11-21T07:00:00.000Z', now, PLACE)).toBe('2 hours ago');
    expect(distanceText('soon', now, PLACE)).toBe('');
  });

  it('in which an approval counts is exact, in the largest unit', () => {
    expect(durationWords(72 * 3_600_000, PLACE)).toBe('3 days');
    expect(durationWords(36 * 3_600_000, { ...PLACE, language: 'de' })).toBe('36 Stunden');
    expect(durationWords(90_000, PLACE)).toBe('90 seconds');
  });

  it.each([
    [3.2, '4 s'],
    [65, '1 min 5 s'],
    [3_900, '1 h 5 min'],
  ])('of %d seconds that are left is %s', (seconds, shown) => {
    expect(leftText(seconds)).toBe(shown);
  });
});

describe('the approvals that a plan needs', () => {
  const needs = (submittedBy: string, policy: ApprovalPolicy): readonly string[] =>
    approvalNeeds(policy, [{ currency: 'USDT_TRC20', total: '60.5' }], {
      texts: EN,
      place: PLACE,
      submittedBy,
    });

  it('name only people who may give them: not the submitter, under any of their names', () => {
    const people = [
      person('alice', ['finance'], { users: ['al'] }),
      person('bob', ['finance']),
      person('carol', ['finance']),
    ];
    for (const name of ['alice', 'Al']) {
      expect(needs(name, policyOf({ people }))).toEqual([
        '2 people from finance (bob, carol), valid for 3 days',
      ]);
    }
  });

  it('say where too few people are left', () => {
    const people = [person('alice', ['finance']), person('bob', ['finance'])];
    expect(needs('alice', policyOf({ people }))).toEqual([
      '2 people from finance (bob, too few are left who may), valid for 3 days',
    ]);
  });
});

describe('the pace of a batch', () => {
  it('is unknown at first, and while nothing is done', () => {
    expect(paceOf([], 100)).toBeNull();
    expect(paceOf([{ atMs: 0, done: 5 }], 100)).toBeNull();
    expect(
      paceOf(
        [
          { atMs: 0, done: 5 },
          { atMs: 1_000, done: 50 },
        ],
        100,
      ),
    ).toBeNull();
    expect(
      paceOf(
        [
          { atMs: 0, done: 5 },
          { atMs: 9_000, done: 5 },
        ],
        100,
      ),
    ).toBeNull();
  });

  it('is that of the last half minute', () => {
    let samples = withSample([], { atMs: 0, done: 0 });
    for (let second = 1; second <= 60; second += 1) {
      samples = withSample(samples, {
        atMs: second * 1_000,
        done: second <= 30 ? second : 30 + (second - 30) * 10,
      });
    }
    expect(samples.length).toBeLessThan(40);
    expect(paceOf(samples, 430)).toEqual({ perSecond: 10, leftSeconds: 10 });
  });
});

describe('the word for a batch', () => {
  const facts = { state: 'PAYING', isOver: false, holds: [], needsOperator: [] } as const;

  it.each([
    [facts, 'PAYING'],
    [{ ...facts, holds: [{ kind: 'PAUSE' }] }, 'PAUSED'],
    [{ ...facts, holds: [{ kind: 'PAUSE' }, { kind: 'STOP_LOSS' }] }, 'HELD'],
    [{ ...facts, canceled: { by: 'bob' }, holds: [{ kind: 'PAUSE' }] }, 'CANCELING'],
    [{ ...facts, needsOperator: [{}], holds: [{ kind: 'PAUSE' }] }, 'OPERATOR'],
    [
      { ...facts, state: 'COMPLETED', isOver: true, holds: [{ kind: 'PAUSE' }] } as const,
      'COMPLETED',
    ],
  ])('of %j is %s', (given, word) => {
    expect(wordOf(given)).toBe(word);
  });

  it('is in one group of the filter, whatever its state', () => {
    const grouped = Object.values(STATE_GROUPS).flat();
    expect([...grouped].sort()).toEqual([...BATCH_STATES].sort());
    expect(statesOf('done')).toEqual(['COMPLETED', 'PARTIAL']);
    expect(statesOf('PAYING')).toEqual(['PAYING']);
    expect(statesOf('__proto__')).toBeUndefined();
  });
});

it('a calendar begins on the Monday of this week, also across a change of clocks', () => {
  const now = new Date(2026, 9, 22, 8);
  const at = new Date(2026, 9, 26, 23, 30).toISOString();
  const weeks = weeksFrom(now, 5, [{ at, entry: 'pay' }]);
  expect(weeks.map((days) => days.length)).toEqual([7, 7, 7, 7, 7]);
  expect(weeks[0]?.[0]?.key).toBe('2026-10-19');
  expect(
    weeks
      .flat()
      .filter(({ isToday }) => isToday)
      .map(({ key }) => key),
  ).toEqual(['2026-10-22']);
  const [found] = weeks.flat().filter(({ entries }) => entries.length > 0);
  expect([found?.key, found?.entries]).toEqual(['2026-10-26', ['pay']]);
});

it('the history of a row is in the order of time', () => {
  const attempt = {
    n: 1,
    signedAt: 'b',
    endedAt: 'd',
    outcome: 'ACCEPTED',
    httpStatus: 200,
    traceId: 't',
  };
  const events = timelineOf({
    chunk: {
      attempts: [attempt, { ...attempt, n: 2, signedAt: 'f', endedAt: null }],
      lookups: [{ at: 'c', result: 'missed' }],
    },
    at: 'e',
    row: { outcome: 'PAID' },
    changes: [{ at: 'e', before: 'IN_FLIGHT', after: 'PAID' }],
  });
  expect(events.map(({ at, kind }) => `${at} ${kind}`)).toEqual([
    'b sent',
    'c looked',
    'd answered',
    'e changed',
    'f sent',
  ]);
  expect(events[2]).toEqual({
    at: 'd',
    kind: 'answered',
    codes: ['ACCEPTED'],
    detail: 'HTTP 200, t',
  });
  const open = { chunk: null, at: null, row: { outcome: 'IN_FLIGHT' }, changes: [] };
  expect(timelineOf(open)).toEqual([]);
});

it('the history of a row ends with its outcome', () => {
  const attempt = { n: 1, signedAt: 'a', endedAt: 'b', outcome: 'ACCEPTED' };
  const events = timelineOf({
    chunk: { attempts: [attempt], lookups: [] },
    at: 'c',
    row: { outcome: 'PAID' },
    changes: [],
  });
  expect(events.at(-1)).toEqual({ at: 'c', kind: 'ended', codes: ['PAID'], detail: '' });
});

it('the facts of a hold are named for people, and none of them is JSON for programs', () => {
  const facts = { lostRows: '3', 'lost:TRX': '20', '0': '{"limit":"5"}', constructor: 'x' };
  expect(holdFacts(facts, EN)).toEqual([
    ['Not paid', '3'],
    ['Not paid (TRX)', '20'],
  ]);
});
