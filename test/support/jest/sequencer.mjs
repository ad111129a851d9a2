import Sequencer from '@jest/test-sequencer';

/**
 * The files that take longest, the longest first; most of their time is waiting. jest begins with large files where it has
 * not seen a run yet, and these are small: one that began last would run alone for minutes.
 */
export const LONGEST = [
  'test/scenarios/lost-store',
  'test/scenarios/restored-store',
  'test/scenarios/kill-points',
  'test/docs/run-book',
  'test/scenarios/recover',
  'test/scenarios/recover-older-copy',
  'test/scenarios/other-store',
  'test/scenarios/schedules',
  'test/scenarios/repeated-keys',
  'packages/conformance/test/wrong-services',
  'test/scenarios/ambiguous-creates',
  'test/scenarios/partitions',
  'test/scenarios/kill',
  'test/sim/laws',
].map((name) => `${name}.test.ts`);

const rankOf = ({ path }) => {
  const rank = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
  return rank === -1 ? LONGEST.length : rank;
};

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
