import { describe, expect, it } from '@jest/globals';
import { dueAtMsOf, isDue, isReleased } from '../../../src/domain/approval/due.ts';

const DUE_MS = 1_800_000_000_000;

it.each([
  ['{"at":"2027-01-15T08:00:00.000Z"}', DUE_MS],
  ['{"at":null}', null],
  ['{}', null],
])('the submitter chose in %s the time %s', (options, dueAtMs) => {
  expect(dueAtMsOf(options)).toBe(dueAtMs);
});

it('a batch is due from its time on, and at once where it has none', () => {
  expect([DUE_MS - 1, DUE_MS, DUE_MS + 1].map((nowMs) => isDue(DUE_MS, nowMs))).toEqual([
    ...[false, true, true],
  ]);
  expect(isDue(null, 0)).toBe(true);
});

it('a batch whose time cannot be read is never due', () => {
  expect(isDue(dueAtMsOf('{"at":"tomorrow"}'), Number.MAX_SAFE_INTEGER)).toBe(false);
});

describe('a release', () => {
  it.each([
    [null, null, false],
    [null, DUE_MS, false],
    [1, null, true],
    [DUE_MS - 1, DUE_MS, false],
    [DUE_MS, DUE_MS, true],
  ])('at %s of a batch that is due at %s counts: %s', (releasedAtMs, dueAtMs, counts) => {
    expect(isReleased({ releasedAtMs, dueAtMs })).toBe(counts);
  });
});
