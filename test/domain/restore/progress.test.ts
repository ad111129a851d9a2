import { expect, it } from '@jest/globals';
import { isNewProgress, verificationProgressText } from '../../../src/domain/restore/progress.ts';

it.each([
  [0, 1, 'Verifying against the service: 0 of 1 chunk'],
  [1_000, 2_500, 'Verifying against the service: 1,000 of 2,500 chunks'],
])('%d of %d chunks', (verified, total, text) => {
  expect(verificationProgressText({ verified, total })).toBe(text);
});

it.each([
  ['the first is shown', null, 0, true],
  ['the next chunk of many is not', 0, 1, false],
  ['a twentieth of all chunks is', 0, 5, true],
  ['one that goes back is not', 5, 4, false],
])('%s', (_what, last, verified, expected) => {
  const before = last === null ? null : { verified: last, total: 100 };
  expect(isNewProgress(before, { verified, total: 100 })).toBe(expected);
});

it('a batch of 10,000 chunks takes at most 21 signals', () => {
  let last = null;
  let signals = 0;
  for (let verified = 0; verified <= 10_000; verified += 1) {
    const now = { verified, total: 10_000 };
    if (!isNewProgress(last, now)) continue;
    last = now;
    signals += 1;
  }
  expect(signals).toBeLessThanOrEqual(21);
});
