import { describe, expect, it } from '@jest/globals';
import { isUndeclaredCopy, referenceToKeep } from '../../../src/domain/restore/undeclared-copy.ts';
import type { StoreRef } from '../../../src/domain/store/identity.ts';

const refOf = (seq: number, more: Partial<StoreRef> = {}): StoreRef => ({
  id: 'ours',
  audit: { seq, hash: `h${seq}` },
  ...more,
});

describe('a store is an older copy that was not declared', () => {
  const store = { id: 'ours', epoch: 0, hash: undefined };
  it.each([
    ['when its log lacks the entry', refOf(9), store, true],
    ['when its log has another entry of that number', refOf(9), { ...store, hash: 'x' }, true],
    ['but not when its log has the entry', refOf(9), { ...store, hash: 'h9' }, false],
    ['but not when another store is named', refOf(9, { id: 'theirs' }), store, false],
    ['but not when the log was empty then', refOf(0), store, false],
    ['but not once a restore was declared', refOf(9), { ...store, epoch: 5 }, false],
    ['unless the reference has that restore', refOf(9, { epoch: 5 }), { ...store, epoch: 5 }, true],
    ['also when it lost the last restore', refOf(9, { epoch: 5 }), { ...store, epoch: 2 }, true],
  ])('%s', (_when, named, facts, expected) => {
    expect(isUndeclaredCopy(named, facts)).toBe(expected);
  });
});

describe('the reference that housekeeping keeps', () => {
  it.each([
    ['is the first one', undefined, refOf(3), refOf(3)],
    ['is that of the longer log', refOf(3), refOf(4), refOf(4)],
    ['never goes back', refOf(4), refOf(3), refOf(4)],
    [
      'goes back once a restore was declared',
      refOf(4),
      refOf(3, { epoch: 1 }),
      refOf(3, { epoch: 1 }),
    ],
    ['is that of another store', refOf(4), refOf(3, { id: 'theirs' }), refOf(3, { id: 'theirs' })],
  ])('%s', (_what, before, next, kept) => {
    expect(referenceToKeep(before, next)).toEqual(kept);
  });
});
