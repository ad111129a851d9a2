import Sequencer from '@jest/test-sequencer';

/** They take long whatever their size, and would run alone at the end: jest begins with large files, and these are small. */
const LONGEST = /\/test\/(docs\/run-book|sim\/laws)\.test\.ts$/;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLongest = ({ path }) => LONGEST.test(path);
    return [...sorted.filter(isLongest), ...sorted.filter((test) => !isLongest(test))];
  }
}
