import { expect, it } from '@jest/globals';
import {
  beginningOf,
  isMissCertain,
  ON_THEIR_WAY_MS,
} from '../../../src/domain/restore/beginning.ts';

const AT_MS = 1_800_000_000_000;
const EARLIER_MS = AT_MS + ON_THEIR_WAY_MS;
const LATER_MS = EARLIER_MS + 1;

it.each([
  ['found', EARLIER_MS, false, 'begun'],
  ['found', LATER_MS, false, 'begun'],
  ['missed', EARLIER_MS, false, 'missed'],
  ['failed', EARLIER_MS, false, 'unknown'],
  ['unavailable', EARLIER_MS, false, 'unknown'],
  ['missed', LATER_MS, false, 'new'],
  ['failed', LATER_MS, false, 'new'],
  ['unavailable', LATER_MS, false, 'new'],
  // Its id is that of a batch which the service showed before.
  ['missed', LATER_MS, true, 'missed'],
  ['failed', LATER_MS, true, 'unknown'],
] as const)(
  'a first key that is %s, of a batch submitted at %d (seen before: %s), gives: %s',
  (first, submittedAtMs, hasBegun, beginning) => {
    const restore = { atMs: AT_MS, hasBegun };
    expect(beginningOf({ first, submittedAtMs, restore })).toBe(beginning);
  },
);

it('a miss is certain when its lookup began after the last create could arrive', () => {
  expect(isMissCertain(AT_MS + ON_THEIR_WAY_MS, { atMs: AT_MS })).toBe(false);
  expect(isMissCertain(AT_MS + ON_THEIR_WAY_MS + 1, { atMs: AT_MS })).toBe(true);
});
