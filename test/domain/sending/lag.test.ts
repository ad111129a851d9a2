import { expect, it } from '@jest/globals';
import { lagOf } from '../../../src/domain/sending/fence.ts';
import type { Attempt } from '../../../src/domain/sending/send-record.ts';

const REQUEST_MS = 30_000;
const T0 = 1_800_000_000_000;

const lagAt = (afterMs: number, last: Partial<Attempt>) =>
  lagOf([{ n: 1, timestampMs: T0, outcome: 'ACCEPTED', ...last }], {
    ...{ askedAtMs: T0 + afterMs, requestTimeoutMs: REQUEST_MS },
  });

it('a lookup lags from the answer to a create until the question that found it', () => {
  expect(lagAt(5_300, { endedMs: T0 + 5_000 })).toBe(300);
});

it('it lags from the signature when the answer was read by somebody who had stood still', () => {
  expect(lagAt(40_000, { endedMs: T0 + REQUEST_MS + 1 })).toBe(40_000);
});

it('it lags at most since the signature when the create was only found again', () => {
  expect(lagAt(31_000, { outcome: 'AMBIGUOUS', endedMs: T0 + 30_000 })).toBe(31_000);
});

it('what was asked for minutes later says nothing of a lag', () => {
  expect(lagAt(480_000, { endedMs: T0 + 2_000 })).toBeUndefined();
  expect(lagOf([], { askedAtMs: T0, requestTimeoutMs: REQUEST_MS })).toBeUndefined();
});
