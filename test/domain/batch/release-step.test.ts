import { describe, expect, it } from '@jest/globals';
import {
  afterMissingApprovals,
  areFeesOld,
  nextReleaseStep,
  type ReleaseCheck,
  type ReleaseFacts,
} from '../../../src/domain/batch/release-step.ts';

const ALL: readonly ReleaseCheck[] = [
  'approval',
  'due-time',
  'fees',
  'funds',
  'holds',
  'resend-rows',
];

const facts = (given: Partial<ReleaseFacts>): ReleaseFacts => ({
  isStopped: false,
  areFeesStopped: false,
  areFeesOld: false,
  hasFeeHolds: false,
  passed: new Set(),
  ...given,
});

const passed = (...checks: ReleaseCheck[]): ReadonlySet<ReleaseCheck> => new Set(checks);

describe('before the release of a batch', () => {
  it.each<[string, Partial<ReleaseFacts>, string]>([
    ['nothing is passed', {}, 'approval'],
    ['it is approved', { passed: passed('approval') }, 'due-time'],
    ['its time has come', { passed: passed('approval', 'due-time') }, 'funds'],
    [
      'its time has come, and the quote of fees is old',
      { passed: passed('approval', 'due-time'), areFeesOld: true },
      'fees',
    ],
    [
      'its time has come, and a hold of a fee rule is open',
      { passed: passed('approval', 'due-time'), hasFeeHolds: true },
      'fees',
    ],
    ['its funds are there', { passed: passed('approval', 'due-time', 'fees', 'funds') }, 'holds'],
    [
      'no hold is open',
      { passed: passed('approval', 'due-time', 'funds', 'holds') },
      'resend-rows',
    ],
  ])('when %s, the next check is: %s', (_when, given, check) => {
    expect(nextReleaseStep(facts(given))).toEqual({ kind: 'check', check });
  });

  it('all checks begin again when fees became old while the batch waited', () => {
    const waited = passed('approval', 'due-time', 'fees', 'funds', 'holds');
    expect(nextReleaseStep(facts({ passed: waited, areFeesOld: true }))).toEqual({
      kind: 'begin-again',
    });
  });

  it('the store releases it after every check', () => {
    expect(nextReleaseStep(facts({ passed: passed(...ALL) }))).toEqual({ kind: 'release' });
  });

  it.each(ALL.map((_, count) => [count, new Set(ALL.slice(0, count))] as const))(
    'a stop ends the checks, after %i of them',
    (_count, done) => {
      expect(nextReleaseStep(facts({ isStopped: true, passed: done }))).toEqual({ kind: 'end' });
    },
  );

  it('fees that a rule stopped wait for a person first, after any earlier checks', () => {
    const given = { areFeesStopped: true, passed: passed(...ALL) };
    expect(nextReleaseStep(facts(given))).toEqual({ kind: 'accept-fees' });
  });

  it('a quote of fees counts for five minutes', () => {
    expect([areFeesOld(0, 300_000), areFeesOld(0, 300_001)]).toEqual([false, true]);
  });

  it('it is never released with a check left out', () => {
    for (const missing of ALL.filter((check) => check !== 'fees')) {
      const done = new Set(ALL.filter((check) => check !== missing));
      expect(nextReleaseStep(facts({ passed: done })).kind).not.toBe('release');
    }
  });
});

describe('when the store misses approvals', () => {
  it.each([
    [false, 1, 'ask-again'],
    [true, 1, 'wait-for-clocks'],
    [true, 10, 'wait-for-clocks'],
    [true, 11, 'give-up'],
  ] as const)('and the workflow has them: %s, for the %ith time: %s', (has, times, next) => {
    expect(afterMissingApprovals(has, times)).toBe(next);
  });
});
