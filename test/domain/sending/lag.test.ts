import { expect, it } from '@jest/globals';
import { isRoughLag, lagOf, nextVerifyDelayMs } from '../../../src/domain/sending/fence.ts';
import type { Attempt } from '../../../src/domain/sending/send-record.ts';

const REQUEST_MS = 30_000;
const T0 = 1_800_000_000_000;

const lagAt = (afterMs: number, last: Partial<Attempt>) =>
  lagOf([{ n: 1, timestampMs: T0, outcome: 'ACCEPTED', ...last }], {
    askedAtMs: T0 + afterMs,
    requestTimeoutMs: REQUEST_MS,
  });

it('a lookup lags from the answer to a create until the question that found it', () => {
  expect(lagAt(5_300, { endedMs: T0 + 5_000 })).toBe(300);
});

it('it lags from the signature when a frozen worker read the answer late', () => {
  expect(lagAt(40_000, { endedMs: T0 + REQUEST_MS + 1 })).toBe(40_000);
});

it('it lags at most since the signature when the create was only found again', () => {
  expect(lagAt(31_000, { outcome: 'AMBIGUOUS', endedMs: T0 + 30_000 })).toBe(31_000);
});

it('a lookup after minutes proves nothing about a lag', () => {
  expect(lagAt(480_000, { endedMs: T0 + 2_000 })).toBeUndefined();
  expect(lagOf([], { askedAtMs: T0, requestTimeoutMs: REQUEST_MS })).toBeUndefined();
});

it.each([
  ['the first lookup found it after 40 seconds', 40_000, 0, true],
  ['a lookup missed it before', 40_000, 1, false],
  ['one verification can measure it', 8_000, 0, false],
])('a lag is rough or not: %s', (_, lagMs, asked, isRough) => {
  expect(isRoughLag(lagMs, asked)).toBe(isRough);
});

it('a new mass payout is looked up seven times in eight seconds', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7].map((asked) => nextVerifyDelayMs(asked, 'missed'));
  expect(delays).toEqual([0, 100, 300, 600, 1_000, 2_000, 4_000, undefined]);
  expect(nextVerifyDelayMs(7, 'unavailable')).toBeUndefined();
});

it('it is looked up ten more times while there is no answer: a broken answer is no miss', () => {
  const delays = [7, 16, 17].map((asked) => nextVerifyDelayMs(asked, 'failed'));
  expect(delays).toEqual([1_000, 1_000, undefined]);
});
