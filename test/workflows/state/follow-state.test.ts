import { expect, it } from '@jest/globals';
import type { Followed } from '../../../src/contract/activities.ts';
import {
  applyToFollow,
  followAtStart,
  type FollowEvent,
  type FollowState,
} from '../../../src/workflows/state/follow-state.ts';

const NOW_MS = 1_000_000;
const START = followAtStart({ batchId: 'b', hints: [1], delayMs: 100 }, NOW_MS);
const FOLLOWED = {
  firstMs: 50,
  untilMs: NOW_MS + 1_000,
  following: 1,
  changedRows: 0,
} as Followed;
const read = (more: Partial<Followed>, isComplete = true, nowMs = NOW_MS): FollowEvent => ({
  kind: 'ends-read',
  followed: { ...FOLLOWED, ...more },
  isComplete,
  nowMs,
});

it.each<[string, FollowEvent, Partial<FollowState>]>([
  ['a hint is added to those before', { kind: 'hinted', chunks: [2] }, { hints: new Set([1, 2]) }],
  ['hints are taken together', { kind: 'hints-taken' }, { hints: new Set() }],
  ['a refresh counts', { kind: 'refreshed' }, { wasRefreshed: true }],
  ['the next read comes later without a change', read({}), { delayMs: 200, dueMs: NOW_MS + 200 }],
  ['it comes soon after a change', read({ changedRows: 1 }), { delayMs: 50, dueMs: NOW_MS + 50 }],
  ['a read of named chunks changes nothing', read({}, false), START],
  ['unless they changed', read({ changedRows: 1 }, false), { delayMs: 50, dueMs: NOW_MS + 50 }],
  ['it is over when no end can change any more', read({ following: 0 }), { isOver: true }],
  ['it is over when its time is', read({}, true, NOW_MS + 1_000), { isOver: true }],
  ['it goes on until then', read({}, true, NOW_MS + 999), { isOver: false }],
])('%s', (_what, event, expected) => {
  expect(applyToFollow(START, event)).toMatchObject(expected);
});

it('a refresh counts until the next wait begins', () => {
  const refreshed = applyToFollow(START, { kind: 'refreshed' });
  expect(applyToFollow(refreshed, { kind: 'wait-began' }).wasRefreshed).toBe(false);
});
