import Sequencer from '@jest/test-sequencer';

/** They would run alone at the end: jest begins with large files where it has not seen a run yet, and these are small. */
const LONGEST = [
  'docs/run-book',
  'sim/laws',
  'conformance/test/wrong-services',
  ...['schedules', 'kill', 'recover', 'other-store', 'restored-store', 'kill-points'].map(
    (name) => `scenarios/${name}`,
  ),
];

const isLongest = ({ path }) => LONGEST.some((name) => path.endsWith(`/${name}.test.ts`));

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isLongest), ...sorted.filter((test) => !isLongest(test))];
  }
}
