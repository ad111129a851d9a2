import { expect, it, jest } from '@jest/globals';
import { tallyOf, tallyText, unseen } from '../../sim/tally.ts';

jest.setTimeout(600_000);

/** What a run of the suite lives through; `npm run sim -- --seeds 1000000` lives through more. */
const SEEDS = 10_000;

it('no law is broken in ten thousand worlds, in which every fault and every end has been seen', () => {
  const tally = tallyOf({ from: 1, count: SEEDS });
  expect([tally.broken, unseen(tally)]).toEqual([{}, []]);
  expect(tally.counts['recovered']).toBeGreaterThan(1_000);
  expect(tally.counts['sent again after the fence']).toBeGreaterThan(1_000);
  expect(tallyText(tally)).toContain(`Laws, over ${SEEDS} seeds`);
});
