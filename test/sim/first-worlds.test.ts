import { expect, it } from '@jest/globals';
import { tallyOf } from '../../sim/tally.ts';

/** Few enough for the fast layer; laws.test.ts lives through ten thousand. */
const SEEDS = 1_000;

it('no law is broken in the first thousand worlds', () => {
  const { broken, counts } = tallyOf({ from: 1, count: SEEDS });
  expect(broken).toEqual({});
  expect(counts['recovered']).toBeGreaterThan(100);
});
