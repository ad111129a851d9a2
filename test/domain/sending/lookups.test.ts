import { describe, expect, it } from '@jest/globals';
import { forbidsSending, isPossible, unasked } from '../../../src/domain/sending/answers.ts';
import { isAuthRefusal } from '../../../src/domain/sending/doubt.ts';
import { areOthersDue } from '../../../src/domain/sending/evidence.ts';
import { isLookupCheckFresh, isWorthNothing } from '../../../src/domain/sending/lookups.ts';
import type { ClockReading, Lookup } from '../../../src/domain/sending/send-record.ts';

const T0 = 1_800_000_000_000;
const look = (result: Lookup['result']): Lookup => ({ atMs: T0, attempts: 0, result });

describe('a lookup before the first send', () => {
  it.each<[Lookup['result'], readonly Lookup[], boolean]>([
    ['missed', [], true],
    ['unavailable', [], true],
    ['failed', [], false],
    ['found', [], false],
    ['missed', [look('missed')], true],
    ['missed', [look('failed')], false],
    ['unavailable', [look('failed')], false],
    ['missed', [look('failed'), look('missed')], true],
  ])('that %s after %j needs no record: %s', (result, lookups, isNothing) => {
    expect(isWorthNothing({ lookups }, result)).toBe(isNothing);
  });
});

it('a proof of the lookups counts for five minutes, and never before its time', () => {
  const isFresh = (afterMs: number): boolean => isLookupCheckFresh({ atMs: T0 }, T0 + afterMs);
  expect([-1, 0, 300_000, 300_001].map(isFresh)).toEqual([false, true, true, false]);
});

it('401 and 403 are about the key, and no other status is', () => {
  expect([401, 403].map(isAuthRefusal)).toEqual([true, true]);
  expect([undefined, 400, 402, 404, 429, 500].some(isAuthRefusal)).toBe(false);
});

it('rows that were created again are looked up two fences after the newest create', () => {
  const attempts = [7_000, 9_000, 8_000].map((timestampMs, i) => ({
    n: i + 1,
    timestampMs,
    outcome: 'AMBIGUOUS' as const,
  }));
  const fence = { timestampWindowMs: 180_000, fenceMarginMs: 60_000 };
  const isDue = (nowMs: number, ms: number, begun?: ClockReading): boolean =>
    areOthersDue(
      { attempts: attempts.map((one) => (begun === undefined ? one : { ...one, begun })) },
      fence,
      { nowMs, reading: { clock: 'ours', ms } },
    );
  const dueMs = 9_000 + 480_000;
  expect([isDue(dueMs - 1, 0), isDue(dueMs, 0)]).toEqual([false, true]);
  const begun = { clock: 'ours', ms: 5 };
  expect([isDue(dueMs, 480_004, begun), isDue(dueMs, 480_005, begun)]).toEqual([false, true]);
  // The clock of another machine says nothing here.
  expect(isDue(dueMs, 0, { clock: 'theirs', ms: 5 })).toBe(true);
});

describe('an answer of a person', () => {
  const payout = { id: 'mp', differences: [] };
  const notCreated = { kind: 'not-created', attempts: 2, atMs: T0 } as const;
  const adopt = { kind: 'adopt', massPayoutId: 'mp', atMs: T0 } as const;
  const abandon = { kind: 'abandon', atMs: T0 } as const;

  it('cannot be "not created" where the service shows a mass payout', () => {
    expect(isPossible({ payout }, 'not-created')).toBe(false);
    expect(isPossible({}, 'not-created')).toBe(true);
    expect(isPossible({ payout }, 'adopt')).toBe(true);
    expect(isPossible({ payout }, 'abandon')).toBe(true);
  });

  it('without a question states of no attempt that it created nothing', () => {
    expect(unasked(notCreated)).toEqual({ ...notCreated, attempts: 0 });
    expect([unasked(adopt), unasked(abandon)]).toEqual([adopt, abandon]);
  });

  it('lets nothing more be sent, unless it states that nothing was created', () => {
    expect([adopt, abandon].every(forbidsSending)).toBe(true);
    expect([notCreated, undefined].some(forbidsSending)).toBe(false);
  });
});
