import { describe, expect, it } from '@jest/globals';
import {
  withdrawalsOf,
  coversAllRows,
  recheckOutcomes,
} from '../../../src/domain/lineage/recheck-outcomes.ts';
import type {
  MassPayoutFacts,
  WithdrawalLookup,
} from '../../../src/domain/settling/payout-outcomes.ts';

const entry = (id: string, errorResolved = false) => ({
  withdrawalId: id,
  errors: [{ errorResolved, errorMessage: 'declined' }],
});

const payout = (state: string, ...ids: readonly string[]): MassPayoutFacts => ({
  state,
  withdrawalErrors: ids.map((id) => entry(id)),
  unreadableParts: [],
});

/** Withdrawal `w3` is that of row 3. */
const findRows = ({ id }: { id: string }) => (/^w\d$/.test(id) ? [Number(id.slice(1))] : []);

const looksOf = (looks: Readonly<Record<string, string>>): ReadonlyMap<string, WithdrawalLookup> =>
  new Map(
    Object.entries(looks).map(([id, state]) => [
      id,
      state === state.toLowerCase() ? (state as WithdrawalLookup) : { id, state },
    ]),
  );

const judge = (of: MassPayoutFacts, looks: Readonly<Record<string, string>>) => {
  const {
    final,
    defaultOutcome: rest,
    rows,
  } = recheckOutcomes({ payout: of, lookups: looksOf(looks), findRows });
  return {
    final,
    rest: rest.outcome,
    rows: Object.fromEntries(rows.map(({ row, outcome }) => [row, outcome])),
  };
};

describe('a mass payout that is still PARTIAL', () => {
  it.each<[string, string, string]>([
    ['FAILED', 'FAILED', 'failed for certain'],
    ['CANCELED', 'FAILED', 'failed for certain'],
    ['COMPLETED', 'PAID', 'was sent again, and nobody told the mass payout'],
    ['IN_PROGRESS', 'UNKNOWN', 'is on its way again'],
    ['A_STATE_OF_TOMORROW', 'UNKNOWN', 'is in a state that nobody knows'],
  ])('with a withdrawal whose own record has %s: its row is %s, it %s', (state, outcome) => {
    const judged = judge(payout('PARTIAL', 'w3'), { w3: state });
    expect(judged).toEqual({ final: true, rest: 'PAID', rows: { 3: outcome } });
  });
});

describe('a mass payout that is FAILED', () => {
  it('counts for rows that it does not name', () => {
    expect(judge(payout('FAILED'), {})).toEqual({ final: true, rest: 'FAILED', rows: {} });
  });

  it('counts when the records of its withdrawals agree, or cannot be read', () => {
    const looks = { w2: 'FAILED', w3: 'missing', w4: 'unavailable' };
    expect(judge(payout('FAILED', 'w2', 'w3', 'w4'), looks)).toMatchObject({
      rest: 'FAILED',
      rows: {},
    });
  });

  it('does not count for a row whose own record has another state', () => {
    const judged = judge(payout('FAILED', 'w2', 'w3'), { w2: 'FAILED', w3: 'COMPLETED' });
    expect(judged).toEqual({ final: true, rest: 'FAILED', rows: { 3: 'UNKNOWN' } });
  });

  it('does not count for any row when a withdrawal has another state and its row is unknown', () => {
    const judged = judge(payout('FAILED', 'stranger'), { stranger: 'IN_PROGRESS' });
    expect(judged).toMatchObject({ rest: 'UNKNOWN' });
  });
});

it.each<[MassPayoutFacts, readonly string[]]>([
  [payout('PARTIAL', 'w2', 'w2', 'w3'), ['w2', 'w3']],
  [payout('FAILED', 'w2'), ['w2']],
  [
    {
      state: 'COMPLETED',
      withdrawalErrors: [entry('w2', true), entry('w3')],
      unreadableParts: [],
    },
    ['w3'],
  ],
  [payout('CANCELED', 'w2'), []],
  [payout('IN_PROGRESS', 'w2'), []],
])('of %j the withdrawals %j are looked up', (of, ids) => {
  expect(withdrawalsOf(of)).toEqual(ids);
});

it.each<[string, string, boolean]>([
  ['FAILED', 'PARTIAL', true],
  ['failed', 'PARTIAL', false],
  ['failed', 'FAILED', false],
  ['missing', 'FAILED', false],
  ['unavailable', 'PARTIAL', false],
  ['unavailable', 'FAILED', true],
])('a lookup with %s after %s is enough for a verdict: %s', (state, massPayoutState, told) => {
  const looks = looksOf({ w2: 'COMPLETED', w3: state });
  expect(
    coversAllRows({ lookups: looks, payout: payout('PARTIAL', 'w2') }, { massPayoutState }),
  ).toBe(told);
});
