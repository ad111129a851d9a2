import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { judgeChunk, type WithdrawalLook } from '../../../src/domain/settling/judge.ts';
import {
  isPatienceOver,
  type KeptLook,
  laterLook,
  looksThatCount,
  nextLooks,
  saidBy,
  saidOf,
} from '../../../src/domain/settling/looks.ts';
import { createRowFinder, type WithdrawalError } from '../../../src/domain/settling/withdrawals.ts';

const entry = (withdrawalId: string, errorResolved = false): WithdrawalError => ({
  withdrawalId,
  errors: [{ status: 'ERROR', errorResolved, errorMessage: 'declined' }],
});

const payoutOf = (...ids: string[]) => ({
  state: 'PARTIAL',
  withdrawalErrors: ids.map((id) => entry(id)),
});

const record = (id: string, state: string): WithdrawalLook => ({ id, state });

/** Looks at withdrawals of a mass payout, made at the given times. */
const keptBy = (
  payout: ReturnType<typeof payoutOf>,
  looks: [string, WithdrawalLook, atMs: number, failures?: number][],
) =>
  new Map<string, KeptLook>(
    looks.map(([id, look, atMs, failures = 0]) => [
      id,
      { look, said: saidBy(payout).get(id) ?? '', atMs, failures },
    ]),
  );

describe('the next withdrawal lookups', () => {
  const payout = payoutOf('new', 'failed', 'missing', 'open', 'done', 'none');
  const kept = keptBy(payout, [
    ['failed', 'failed', 30],
    ['missing', 'missing', 10],
    ['open', record('open', 'IN_PROGRESS'), 20],
    ['done', record('done', 'FAILED'), 1],
    ['none', 'unavailable', 1],
  ]);

  it('go to withdrawals without a lookup first, then to unclear ones, the oldest lookup first', () => {
    expect(nextLooks(payout, kept, 9)).toEqual(['new', 'missing', 'open', 'failed']);
    expect(nextLooks(payout, kept, 2)).toEqual(['new', 'missing']);
  });

  it('go once to a withdrawal that is named twice', () => {
    expect(nextLooks(payoutOf('w', 'w'), new Map(), 9)).toEqual(['w']);
  });

  it('are none for a mass payout whose state decides all its rows', () => {
    expect(nextLooks({ ...payout, state: 'FAILED' }, new Map(), 9)).toEqual([]);
  });
});

describe('a withdrawal lookup counts', () => {
  const before = payoutOf('w');
  const kept = keptBy(before, [['w', record('w', 'FAILED'), 1]]);

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
    expect(looksThatCount({ ...before, ...change }, kept).size).toBe(1);
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
    expect(looksThatCount({ ...before, ...change }, kept).size).toBe(0);
    const [wanted] = nextLooks({ ...before, ...change }, kept, 1);
    expect(wanted).toBe('w');
  });
});

it('a withdrawal lookup counts for any order of the errors of a withdrawal', () => {
  const errors = [{ errorResolved: true }, { errorResolved: false }];
  const told = (of: typeof errors) => ({
    state: 'PARTIAL',
    withdrawalErrors: [{ withdrawalId: 'w', errors: of }],
  });
  expect(saidBy(told(errors))).toEqual(saidBy(told(errors.toReversed())));
});

describe('of two lookups of one withdrawal', () => {
  const said = 's';
  const failed: KeptLook = { look: record('w', 'FAILED'), said, atMs: 5, failures: 0 };

  it.each<[string, KeptLook, KeptLook]>([
    ['a newer record', { ...failed, look: record('w', 'COMPLETED'), atMs: 6 }, failed],
    ['an earlier request of a slower reader', failed, { ...failed, look: 'failed', atMs: 4 }],
    [
      'a newer answer without a record, when the mass payout changed',
      { look: 'failed', said: 'other', atMs: 6, failures: 1 },
      failed,
    ],
  ])('%s is kept', (_what, wins, other) => {
    const [earlier, later] = wins.atMs > other.atMs ? [other, wins] : [wins, other];
    expect(laterLook(earlier, later)).toEqual(wins);
  });

  it('the one with the later request is kept, in any order of arrival', () => {
    const newer: KeptLook = { look: record('w', 'COMPLETED'), said, atMs: 6, failures: 0 };
    expect(laterLook(newer, failed)).toEqual(newer);
    expect(laterLook(failed, { ...newer, atMs: 5 }).look).toEqual(newer.look);
  });

  it('of two answers without a record the later one is kept', () => {
    const missing: KeptLook = { look: 'missing', said, atMs: 1, failures: 0 };
    expect(laterLook(missing, { look: 'failed', said, atMs: 2 }).look).toBe('failed');
  });

  it.each(['failed', 'missing', 'unavailable'] as const)(
    'a record is kept though the newer one is %s: its request was later',
    (look) => {
      expect(laterLook(failed, { look, said, atMs: 9 })).toEqual({ ...failed, atMs: 9 });
    },
  );
});

it('patience is over only when each unclear withdrawal was looked up after its end', () => {
  const payout = payoutOf('a', 'b', 'c');
  const looks = (bMs: number) =>
    keptBy(payout, [
      ['a', record('a', 'FAILED'), 1],
      ['b', 'missing', bMs],
      ['c', record('c', 'IN_PROGRESS'), 60],
    ]);
  const limits = { sinceMs: 20, patienceMs: 30 };
  expect(isPatienceOver(payout, looks(49), limits)).toBe(false);
  expect(isPatienceOver(payout, looks(50), limits)).toBe(true);
});

describe('a withdrawal without an answer', () => {
  const payout = payoutOf('a');
  const limits = { sinceMs: 1_000, patienceMs: 10 };
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
    const look = (told: WithdrawalLook, atMs: number, said = 's') => ({ look: told, said, atMs });
    const first = laterLook(undefined, look('failed', 1));
    expect(first.failures).toBe(1);
    const second = laterLook(first, look('failed', 2));
    expect(second.failures).toBe(2);
    expect(laterLook(second, look('failed', 3, 'other')).failures).toBe(1);
    expect(laterLook(second, look('missing', 3)).failures).toBe(0);
    expect(laterLook(second, look('failed', 1)).failures).toBe(2);
    expect(laterLook(laterLook(second, look('missing', 3)), look('failed', 4)).failures).toBe(1);
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
    fc.property(states, fc.array(fc.integer({ min: 1, max: 5 })), (told, widths) => {
      const payout = payoutOf(...ids);
      const look = (id: string): WithdrawalLook => ({
        id,
        state: told[ids.indexOf(id)] ?? '',
        depositAddress: id,
        amount: '1',
      });
      const judge = (looks: ReadonlyMap<string, WithdrawalLook>) =>
        judgeChunk({ payout, findRows, looks, patienceOver: true });
      const kept = new Map<string, KeptLook>();
      for (let sweep = 0; nextLooks(payout, kept, 1).length > 0; sweep += 1) {
        expect(judge(looksThatCount(payout, kept)).final).toBe(false);
        for (const id of nextLooks(payout, kept, widths[sweep] ?? 5)) {
          const now = { look: look(id), said: saidBy(payout).get(id) ?? '', atMs: sweep };
          kept.set(id, laterLook(kept.get(id), now));
        }
      }
      const atOnce = new Map(ids.map((id) => [id, look(id)]));
      expect(judge(looksThatCount(payout, kept))).toEqual(judge(atOnce));
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
    expect(saidOf({ ...payout, withdrawalErrors: reworded })).toBe(saidOf(payout));
  });

  it.each<[string, Partial<typeof payout>]>([
    ['another state', { state: 'COMPLETED' }],
    ['one error less', { withdrawalErrors: [entry('a')] }],
    ['one error resolved', { withdrawalErrors: [entry('a'), entry('b', true)] }],
    ['an error twice', { withdrawalErrors: [entry('a'), entry('b'), entry('b')] }],
  ])('differs with %s', (_what, change) => {
    expect(saidOf({ ...payout, ...change })).not.toBe(saidOf(payout));
  });
});
