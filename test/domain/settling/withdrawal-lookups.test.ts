import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type MassPayoutFacts,
  outcomesOf,
  type WithdrawalLookup,
} from '../../../src/domain/settling/payout-outcomes.ts';
import {
  isPatienceOver,
  type StoredWithdrawalLookup,
  lookupToKeep,
  countingLookups,
  withdrawalsToLookUp,
  withdrawalFingerprints,
  payoutFingerprint,
} from '../../../src/domain/settling/withdrawal-lookups.ts';
import { createRowFinder, type WithdrawalError } from '../../../src/domain/settling/withdrawals.ts';

const entry = (withdrawalId: string, errorResolved = false): WithdrawalError => ({
  withdrawalId,
  errors: [{ status: 'ERROR', errorResolved, errorMessage: 'declined' }],
});

const payoutOf = (...ids: string[]): MassPayoutFacts => ({
  state: 'PARTIAL',
  withdrawalErrors: ids.map((id) => entry(id)),
  unreadableParts: [],
});

const record = (id: string, state: string): WithdrawalLookup => ({ id, state });

/** Looks at withdrawals of a mass payout, made at the given times. */
const keptBy = (
  payout: ReturnType<typeof payoutOf>,
  lookups: [string, WithdrawalLookup, atMs: number, failures?: number][],
) =>
  new Map<string, StoredWithdrawalLookup>(
    lookups.map(([id, lookup, atMs, failures = 0]) => [
      id,
      { result: lookup, fingerprint: withdrawalFingerprints(payout).get(id) ?? '', atMs, failures },
    ]),
  );

describe('the next withdrawal lookups', () => {
  const payout = payoutOf('new', 'failed', 'missing', 'open', 'done', 'none');
  const stored = keptBy(payout, [
    ['failed', 'failed', 30],
    ['missing', 'missing', 10],
    ['open', record('open', 'IN_PROGRESS'), 20],
    ['done', record('done', 'FAILED'), 1],
    ['none', 'unavailable', 1],
  ]);

  it('go to withdrawals without a lookup first, then to unclear ones, the oldest lookup first', () => {
    expect(withdrawalsToLookUp(payout, stored, 9)).toEqual(['new', 'missing', 'open', 'failed']);
    expect(withdrawalsToLookUp(payout, stored, 2)).toEqual(['new', 'missing']);
  });

  it('go once to a withdrawal that is named twice', () => {
    expect(withdrawalsToLookUp(payoutOf('w', 'w'), new Map(), 9)).toEqual(['w']);
  });

  it('are none for a mass payout whose state decides all its rows', () => {
    expect(withdrawalsToLookUp({ ...payout, state: 'FAILED' }, new Map(), 9)).toEqual([]);
  });
});

describe('a withdrawal lookup counts', () => {
  const before = payoutOf('w');
  const stored = keptBy(before, [['w', record('w', 'FAILED'), 1]]);

  it.each<[string, Partial<typeof before>]>([
    ['the same state is returned', {}],
    [
      'it does not list that nothing is resolved',
      { withdrawalErrors: [{ withdrawalId: 'w', errors: [{ status: 'ERROR' }] }] },
    ],
    [
      'only the message is another one',
      {
        withdrawalErrors: [
          { withdrawalId: 'w', errors: [{ status: 'OTHER', errorMessage: 'declined at 12:01' }] },
        ],
      },
    ],
  ])('while %s', (_what, change) => {
    expect(countingLookups({ ...before, ...change }, stored).size).toBe(1);
  });

  it.each<[string, Partial<typeof before>]>([
    ['it is resolved', { withdrawalErrors: [entry('w', true)] }],
    ['it failed once more', { withdrawalErrors: [entry('w'), entry('w')] }],
    ['the mass payout is COMPLETED', { state: 'COMPLETED' }],
    [
      'it succeeded',
      {
        withdrawalErrors: [
          { withdrawalId: 'w', errors: [{ status: 'SUCCESS', errorResolved: false }] },
        ],
      },
    ],
  ])('no more when %s', (_what, change) => {
    expect(countingLookups({ ...before, ...change }, stored).size).toBe(0);
    const [wanted] = withdrawalsToLookUp({ ...before, ...change }, stored, 1);
    expect(wanted).toBe('w');
  });
});

it('a withdrawal lookup counts for any order of the errors of a withdrawal', () => {
  const errors = [{ errorResolved: true }, { errorResolved: false }];
  const answer = (of: typeof errors) => ({
    state: 'PARTIAL',
    withdrawalErrors: [{ withdrawalId: 'w', errors: of }],
    unreadableParts: [],
  });
  expect(withdrawalFingerprints(answer(errors))).toEqual(
    withdrawalFingerprints(answer(errors.toReversed())),
  );
});

describe('of two lookups of one withdrawal', () => {
  const fingerprint = 's';
  const failed: StoredWithdrawalLookup = {
    result: record('w', 'FAILED'),
    fingerprint,
    atMs: 5,
    failures: 0,
  };

  it.each<[string, StoredWithdrawalLookup, StoredWithdrawalLookup]>([
    ['a newer record', { ...failed, result: record('w', 'COMPLETED'), atMs: 6 }, failed],
    ['an earlier request of a slower reader', failed, { ...failed, result: 'failed', atMs: 4 }],
    [
      'a newer answer without a record, when the mass payout changed',
      { result: 'failed', fingerprint: 'other', atMs: 6, failures: 1 },
      failed,
    ],
  ])('%s is kept', (_what, wins, other) => {
    const [earlier, later] = wins.atMs > other.atMs ? [other, wins] : [wins, other];
    expect(lookupToKeep(earlier, later)).toEqual(wins);
  });

  it('the one with the later request is kept, in any order of arrival', () => {
    const newer: StoredWithdrawalLookup = {
      result: record('w', 'COMPLETED'),
      fingerprint,
      atMs: 6,
      failures: 0,
    };
    expect(lookupToKeep(newer, failed)).toEqual(newer);
    expect(lookupToKeep(failed, { ...newer, atMs: 5 }).result).toEqual(newer.result);
  });

  it('of two answers without a record the later one is kept', () => {
    const missing: StoredWithdrawalLookup = {
      result: 'missing',
      fingerprint,
      atMs: 1,
      failures: 0,
    };
    expect(lookupToKeep(missing, { result: 'failed', fingerprint, atMs: 2 }).result).toBe('failed');
  });

  it.each(['failed', 'missing', 'unavailable'] as const)(
    'a record is kept though the newer one is %s: its request was later',
    (lookup) => {
      expect(lookupToKeep(failed, { result: lookup, fingerprint, atMs: 9 })).toEqual({
        ...failed,
        atMs: 9,
      });
    },
  );
});

it('patience is over only when each unclear withdrawal was looked up after its end', () => {
  const payout = payoutOf('a', 'b', 'c');
  const lookups = (bMs: number) =>
    keptBy(payout, [
      ['a', record('a', 'FAILED'), 1],
      ['b', 'missing', bMs],
      ['c', record('c', 'IN_PROGRESS'), 60],
    ]);
  const limits = { sinceMs: 20, patienceMs: 30, nowMs: 999 };
  expect(isPatienceOver(payout, lookups(49), limits)).toBe(false);
  expect(isPatienceOver(payout, lookups(50), limits)).toBe(true);
});

it.each([
  [49, false],
  [50, true],
])('patience with a part that cannot be read: at %i ms it is over: %s', (nowMs, isOver) => {
  const hidden = [{ path: 'errors', problem: 'is not a record' }];
  const payout = { ...payoutOf(), unreadableParts: hidden };
  expect(isPatienceOver(payout, new Map(), { sinceMs: 20, patienceMs: 30, nowMs })).toBe(isOver);
});

describe('a withdrawal without an answer', () => {
  const payout = payoutOf('a');
  const limits = { sinceMs: 1_000, patienceMs: 10, nowMs: 9_999_999 };
  const failed = (failures: number, atMs: number) =>
    keptBy(payout, [['a', 'failed', atMs, failures]]);

  it('is waited for twelve times as long: most failures pass', () => {
    expect(isPatienceOver(payout, failed(12, 1_119), limits)).toBe(false);
    expect(isPatienceOver(payout, failed(12, 1_120), limits)).toBe(true);
  });

  it('is looked up twelve times, however long no worker ran in between', () => {
    expect(isPatienceOver(payout, failed(11, 9_999_999), limits)).toBe(false);
    expect(isPatienceOver(payout, failed(12, 9_999_999), limits)).toBe(true);
  });

  it('has its failures counted in a row, and from zero when the mass payout changes', () => {
    const lookup = (answer: WithdrawalLookup, atMs: number, fingerprint = 's') => ({
      result: answer,
      fingerprint,
      atMs,
    });
    const first = lookupToKeep(undefined, lookup('failed', 1));
    expect(first.failures).toBe(1);
    const second = lookupToKeep(first, lookup('failed', 2));
    expect(second.failures).toBe(2);
    expect(lookupToKeep(second, lookup('failed', 3, 'other')).failures).toBe(1);
    expect(lookupToKeep(second, lookup('missing', 3)).failures).toBe(0);
    expect(lookupToKeep(second, lookup('failed', 1)).failures).toBe(2);
    expect(
      lookupToKeep(lookupToKeep(second, lookup('missing', 3)), lookup('failed', 4)).failures,
    ).toBe(1);
  });
});

it('the verdict on a mass payout is the same after any number of sweeps', () => {
  const ids = Array.from({ length: 12 }, (_, i) => `w${i}`);
  const rows = ids.map((id, i) => ({ row: i + 2, address: id, amount: '1', comment: '' }));
  const findRows = createRowFinder(rows, 'code');
  const states = fc.array(fc.constantFrom('FAILED', 'COMPLETED', 'CANCELED', 'ODD'), {
    minLength: 12,
    maxLength: 12,
  });
  fc.assert(
    fc.property(states, fc.array(fc.integer({ min: 1, max: 5 })), (answer, widths) => {
      const payout = payoutOf(...ids);
      const lookup = (id: string): WithdrawalLookup => ({
        id,
        state: answer[ids.indexOf(id)] ?? '',
        depositAddress: id,
        amount: '1',
      });
      const judge = (lookups: ReadonlyMap<string, WithdrawalLookup>) =>
        outcomesOf({ payout, findRows, lookups, patienceOver: true });
      const stored = new Map<string, StoredWithdrawalLookup>();
      for (let sweep = 0; withdrawalsToLookUp(payout, stored, 1).length > 0; sweep += 1) {
        expect(judge(countingLookups(payout, stored)).final).toBe(false);
        for (const id of withdrawalsToLookUp(payout, stored, widths[sweep] ?? 5)) {
          const now = {
            result: lookup(id),
            fingerprint: withdrawalFingerprints(payout).get(id) ?? '',
            atMs: sweep,
          };
          stored.set(id, lookupToKeep(stored.get(id), now));
        }
      }
      const atOnce = new Map(ids.map((id) => [id, lookup(id)]));
      expect(judge(countingLookups(payout, stored))).toEqual(judge(atOnce));
    }),
  );
});

describe('the state of a mass payout', () => {
  const payout = payoutOf('a', 'b');

  it('is the same in any order of its withdrawals and with any messages', () => {
    const reworded = [entry('b'), entry('a')].map(({ withdrawalId, errors }) => ({
      withdrawalId,
      errors: errors.map((error) => ({ ...error, errorMessage: 'told anew' })),
    }));
    expect(payoutFingerprint({ ...payout, withdrawalErrors: reworded })).toBe(
      payoutFingerprint(payout),
    );
  });

  it.each<[string, Partial<typeof payout>]>([
    ['another state', { state: 'COMPLETED' }],
    ['one error less', { withdrawalErrors: [entry('a')] }],
    ['one error resolved', { withdrawalErrors: [entry('a'), entry('b', true)] }],
    ['a name that cannot be read', { unreadableParts: [{ path: 'errors', problem: 'is odd' }] }],
    ['an error twice', { withdrawalErrors: [entry('a'), entry('b'), entry('b')] }],
  ])('differs with %s', (_what, change) => {
    expect(payoutFingerprint({ ...payout, ...change })).not.toBe(payoutFingerprint(payout));
  });
});
