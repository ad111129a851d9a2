import { describe, expect, it } from '@jest/globals';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import {
  isHoldOpen,
  NO_HOLDS,
  outdatedHolds,
  withHold,
  withoutHold,
} from '../../../src/domain/holds/open-holds.ts';

const hold = (n: number, more: Partial<Hold> = {}): Hold => ({
  n,
  kind: 'PAUSE',
  reason: `reason ${n}`,
  by: 'ann',
  since: `2026-11-2${n}`,
  facts: {},
  ...more,
});

describe('the holds of a batch', () => {
  it('are open in the order of their numbers, each once', () => {
    const holds = [hold(2), hold(1), hold(2, { reason: 'as the store has it' })];
    const { open } = holds.reduce(withHold, NO_HOLDS);
    expect(open).toEqual([hold(1), hold(2, { reason: 'as the store has it' })]);
  });

  it('do not come back when they were lifted before their signal arrived', () => {
    const lifted = withoutHold(NO_HOLDS, hold(1));
    expect(withHold(lifted, hold(1))).toBe(lifted);
  });

  it('are distinguished by their instant, where a store numbers them again', () => {
    const again = hold(1, { since: '2026-12-01' });
    const holds = withHold(withoutHold(NO_HOLDS, hold(1)), again);
    expect([isHoldOpen(holds, hold(1)), isHoldOpen(holds, again)]).toEqual([false, true]);
  });

  it.each<[string, Hold[], Hold[], Hold[]]>([
    ['the store has all of them', [hold(1)], [hold(1), hold(2)], []],
    ['one was lifted meanwhile', [hold(1), hold(2)], [hold(2)], [hold(1)]],
    ['the store has another of that number', [hold(1)], [hold(1, { since: 'b' })], [hold(1)]],
  ])('are outdated by the records of the store: %s', (_what, before, stored, outdated) => {
    expect(outdatedHolds(before, stored)).toEqual(outdated);
  });
});
