import Sequencer from '@jest/test-sequencer';

/** It waits for minutes of the wall clock, and would run alone at the end: jest begins with large files, and its is small. */
const LONGEST = /\/test\/docs\/run-book\.test\.ts$/;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLongest = ({ path }) => LONGEST.test(path);
    return [...sorted.filter(isLongest), ...sorted.filter((test) => !isLongest(test))];
  }
}
