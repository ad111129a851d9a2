import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { recheckOutcomes, coversAllRows } from '../../../src/domain/lineage/recheck-outcomes.ts';
import type { ChunkOutcomes, Outcome } from '../../../src/domain/settling/outcome.ts';
import {
  isSoftEnd,
  outcomesOf,
  type WithdrawalLookup,
} from '../../../src/domain/settling/payout-outcomes.ts';
import { hiddenName, partsText } from '../../../src/domain/settling/unreadable-parts.ts';
import { createRowFinder, type WithdrawalError } from '../../../src/domain/settling/withdrawals.ts';

const ROWS = [2, 3, 4].map((row) => ({ row, address: `A${row}`, amount: '1', comment: `c${row}` }));
const findRows = createRowFinder(ROWS, 'k3f9zq2a');

const named = (row: number, more: Partial<WithdrawalError> = {}): WithdrawalError => ({
  withdrawalId: `w${row}`,
  errors: [{ errorMessage: 'declined' }],
  ...more,
});

const recordOf = (row: number, state: string): [string, WithdrawalLookup] => [
  `w${row}`,
  { id: `w${row}`, state, depositAddress: `A${row}`, amount: '1', comment: `c${row}` },
];

type Read = Readonly<{
  state: string;
  path?: string;
  entries?: readonly WithdrawalError[];
  looks?: readonly [string, WithdrawalLookup][];
  patienceOver?: boolean;
}>;

const factsOf = ({ state, path, entries = [], looks = [], patienceOver = true }: Read) => ({
  payout: {
    state,
    withdrawalErrors: entries,
    unreadableParts: path === undefined ? [] : [{ path, problem: 'is missing' }],
  },
  findRows,
  lookups: new Map(looks),
  patienceOver,
});

const byRow = ({ rows, defaultOutcome }: ChunkOutcomes): Outcome[] =>
  ROWS.map(({ row }) => (rows.find((one) => one.row === row) ?? defaultOutcome).outcome);

const judge = (read: Read): Outcome[] => byRow(outcomesOf(factsOf(read)));

const HIDING = [
  '',
  'errors',
  'errors.withdrawalErrors',
  'errors.withdrawalErrors.3',
  'errors.withdrawalErrors.3.withdrawalId',
];
const OTHER = [
  'comment',
  'executionDate',
  'cancellation',
  'errors.withdrawalErrors.3.errors',
  'errors.withdrawalErrors.3.errors.0.errorMessage',
];

describe.each(HIDING)('the part %j may be about any row without a name of its own', (path) => {
  it.each(['COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED'])(
    'so no row of a mass payout in state %s is paid, failed or not sent',
    (state) => {
      expect(judge({ state, path })).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
    },
  );

  it.each(['COMPLETED', 'PARTIAL', 'FAILED'])(
    'and a row of a mass payout in state %s that is named keeps the outcome of its lookup',
    (state) => {
      const read = { state, path, entries: [named(3)], looks: [recordOf(3, 'FAILED')] };
      expect(judge(read)).toEqual(['UNKNOWN', 'FAILED', 'UNKNOWN']);
    },
  );

  it('and is read again before anything is concluded', () => {
    const read = { state: 'COMPLETED', path, patienceOver: false };
    expect(outcomesOf(factsOf(read))).toMatchObject({ final: false });
  });

  it.each(['CREATION_IN_PROGRESS', 'CONFIRMED', 'SOMETHING_NEW'])(
    'and says nothing before an end: %s',
    (state) => {
      expect(judge({ state, path })).toEqual(['IN_FLIGHT', 'IN_FLIGHT', 'IN_FLIGHT']);
    },
  );

  it('and the end can be read again later, even of a canceled one', () => {
    const outcomes = outcomesOf(factsOf({ state: 'CANCELED', path }));
    expect(isSoftEnd(outcomes)).toBe(true);
  });
});

it.each(OTHER)('the part %j is about no row', (path) => {
  expect(hiddenName([{ path, problem: 'is not text' }])).toBeUndefined();
  expect(judge({ state: 'COMPLETED', path })).toEqual(['PAID', 'PAID', 'PAID']);
});

it('gives a reason that names the part and the problem', () => {
  const path = 'errors.withdrawalErrors.3.withdrawalId';
  expect(outcomesOf(factsOf({ state: 'PARTIAL', path })).defaultOutcome).toEqual({
    outcome: 'UNKNOWN',
    reason:
      '"errors.withdrawalErrors.3.withdrawalId" in the answer of the service is missing, so it may be about this row',
  });
});

describe('a withdrawal of which nobody can read whether it was resolved', () => {
  const entries = [named(3, { isResolutionUnreadable: true })];

  it.each<[string, string, Outcome]>([
    ['PARTIAL', 'FAILED', 'UNKNOWN'],
    ['PARTIAL', 'COMPLETED', 'PAID'],
    ['COMPLETED', 'FAILED', 'UNKNOWN'],
    ['COMPLETED', 'COMPLETED', 'PAID'],
  ])(
    'in a mass payout that is %s, its own record %s: %s, and no other row',
    (state, own, outcome) => {
      const read = { state, entries, looks: [recordOf(3, own)] };
      expect(judge(read)).toEqual(['PAID', outcome, 'PAID']);
    },
  );

  it('keeps a mass payout that FAILED from being called failed', () => {
    expect(judge({ state: 'FAILED', entries })).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
  });

  it('is not resolved by the errors beside it', () => {
    const errors = [{ errorResolved: true }];
    const odd = [named(3, { errors, isResolutionUnreadable: true })];
    expect(judge({ state: 'COMPLETED', entries: odd, looks: [recordOf(3, 'FAILED')] })).toEqual([
      'PAID',
      'UNKNOWN',
      'PAID',
    ]);
  });
});

describe('a record of a withdrawal whose comment cannot be read', () => {
  const record = { id: 'w', state: 'FAILED', depositAddress: 'A', amount: '1' } as const;
  const rows = [
    { row: 2, address: 'A', amount: '1', comment: '' },
    { row: 3, address: 'A', amount: '1', comment: 'rent' },
    { row: 4, address: 'B', amount: '1', comment: 'rent' },
  ];

  it('is that of any row with its address and amount', () => {
    const find = createRowFinder(rows, 'k3f9zq2a');
    expect(find({ ...record, isCommentUnreadable: true })).toEqual([2, 3]);
    expect(find({ ...record, depositAddress: 'B', isCommentUnreadable: true })).toEqual([4]);
    expect(find(record)).toEqual([2]);
  });
});

describe('a recheck with a hidden name', () => {
  it('covers only the rows that it names', () => {
    const facts = factsOf({
      state: 'PARTIAL',
      path: 'errors.withdrawalErrors.0.withdrawalId',
      entries: [named(3)],
      looks: [recordOf(3, 'FAILED')],
    });
    expect(coversAllRows(facts, { massPayoutState: 'PARTIAL' })).toBe(false);
    expect(coversAllRows(facts, { massPayoutState: 'COMPLETED' })).toBe(false);
    expect(byRow(recheckOutcomes(facts))).toEqual(['UNKNOWN', 'FAILED', 'UNKNOWN']);
  });

  it('proves no row failed by a state alone', () => {
    const facts = factsOf({ state: 'FAILED', path: 'errors' });
    expect(byRow(recheckOutcomes(facts))).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
  });
});

it('with any part that may hide a name, a row without a name is never paid, failed or not sent', () => {
  const state = fc.constantFrom('COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED', 'IN_PROGRESS', 'X');
  const row = fc.constantFrom(2, 3, 4);
  const reads = fc.record({
    state,
    path: fc.constantFrom(...HIDING),
    entries: fc.array(
      row.map((one) => named(one)),
      { maxLength: 3 },
    ),
    own: fc.constantFrom('FAILED', 'COMPLETED', 'IN_PROGRESS', 'CANCELED'),
    patienceOver: fc.boolean(),
  });
  fc.assert(
    fc.property(reads, ({ own, ...read }) => {
      const looks = ROWS.map((one) => recordOf(one.row, own));
      const outcomes = judge({ ...read, looks });
      const isNamed = (each: number) =>
        read.entries.some(({ withdrawalId }) => withdrawalId === `w${each}`);
      const without = outcomes.filter((_, n) => !isNamed(ROWS[n]?.row ?? 0));
      expect(without.every((one) => one === 'UNKNOWN' || one === 'IN_FLIGHT')).toBe(true);
    }),
  );
});

it.each([
  [1, 'errors.0 is odd'],
  [3, 'errors.0 is odd, errors.1 is odd, errors.2 is odd'],
  [5, 'errors.0 is odd, errors.1 is odd, errors.2 is odd and 2 more'],
])('%i parts are named as %j', (count, text) => {
  const parts = Array.from({ length: count }, (_, n) => ({
    path: `errors.${n}`,
    problem: 'is odd',
  }));
  expect(partsText(parts)).toBe(text);
});
