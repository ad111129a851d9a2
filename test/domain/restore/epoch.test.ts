import { expect, it } from '@jest/globals';
import { nextEpoch } from '../../../src/domain/restore/epoch.ts';

it.each([
  ['is its time where the store was never restored', undefined, 700, 700],
  ['is its time where it was restored before', 500, 700, 700],
  ['grows though a clock was set back', 700, 500, 701],
] as const)('the number of a restore %s', (_what, last, atMs, epoch) => {
  expect(nextEpoch(last, atMs)).toBe(epoch);
});

it('two restores from one copy have different numbers', () => {
  expect(nextEpoch(undefined, 700)).not.toBe(nextEpoch(undefined, 900));
});
