import { describe, expect, it } from '@jest/globals';
import {
  headName,
  isPushDue,
  keptHeadText,
  readKeptHead,
} from '../../../src/domain/audit/kept-head.ts';

const HEAD = { storeId: 'store-1', seq: 12, hash: 'ab'.repeat(32) };
const PLACE = 'file:/kept';

describe('the text of a kept head', () => {
  it('is read as it was written, and one head has one text', () => {
    expect(readKeptHead(keptHeadText(HEAD))).toEqual(HEAD);
    expect(keptHeadText({ hash: HEAD.hash, seq: 12, storeId: 'store-1' })).toBe(keptHeadText(HEAD));
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '1'],
    ['another schema', keptHeadText(HEAD).replace('head/v1', 'head/v2')],
    ['no number', keptHeadText(HEAD).replace(':12,', ':"12",')],
    ['no hash', keptHeadText({ ...HEAD, hash: 'ab' })],
    ['no store', keptHeadText(HEAD).replace('"store-1"', 'null')],
  ])('is none with %s', (_, text) => {
    expect(readKeptHead(text)).toBeUndefined();
  });
});

describe('a head is pushed', () => {
  const last = { head: headName(HEAD), place: PLACE, atMs: 100_000 };
  const next = { head: headName({ ...HEAD, seq: 13 }), place: PLACE };
  it.each([
    ['at first', { ...next, atMs: 100_001 }, undefined, 'due'],
    ['not again', { ...last, atMs: 900_000 }, last, 'unchanged'],
    ['not within a minute', { ...next, atMs: 159_999 }, last, 'too-soon'],
    ['after a minute', { ...next, atMs: 160_000 }, last, 'due'],
    ['when the clock was set back', { ...next, atMs: 99_999 }, last, 'due'],
    ['at once to another place', { ...last, place: 'file:/other', atMs: 100_001 }, last, 'due'],
  ] as const)('%s', (_, push, before, expected) => {
    expect(isPushDue(push, before)).toBe(expected);
  });
});
