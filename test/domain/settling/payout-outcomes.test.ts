import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  isSoftEnd,
  outcomesOf,
  namedBy,
  needsSecondRead,
  type WithdrawalLookup,
} from '../../../src/domain/settling/payout-outcomes.ts';
import {
  type ChunkOutcomes,
  type Outcome,
  shownOutcome,
} from '../../../src/domain/settling/outcome.ts';
import {
  createRowFinder,
  type SentRow,
  type WithdrawalError,
} from '../../../src/domain/settling/withdrawals.ts';
import type { UnreadPart } from '../../../src/domain/settling/unreadable-parts.ts';

const CODE = 'k3f9zq2a';

const ROWS: readonly SentRow[] = [
  { row: 2, address: 'A', amount: '1', comment: `#${CODE}-2` },
  { row: 3, address: 'B', amount: '2', comment: `wage #${CODE}-3` },
  { row: 4, address: 'C', amount: '3', comment: '' },
  { row: 5, address: 'D', amount: '4', comment: '' },
  { row: 6, address: 'D', amount: '4', comment: '' },
];

const entry = (
  withdrawalId: string,
  errorResolved = false,
  errorMessage = 'rejected by compliance',
): WithdrawalError => ({
  withdrawalId,
  errors: [{ status: 'ERROR', errorResolved, errorMessage }],
});

type Case = Readonly<{
  state: string;
  entries?: readonly WithdrawalError[];
  unreadableParts?: readonly UnreadPart[];
  looks?: Readonly<Record<string, WithdrawalLookup>>;
  patienceOver?: boolean;
}>;

const judge = ({
  state,
  entries = [],
  unreadableParts = [],
  looks: lookups = {},
  patienceOver = true,
}: Case): ChunkOutcomes =>
  outcomesOf({
    payout: { state, withdrawalErrors: entries, unreadableParts },
    findRows: createRowFinder(ROWS, CODE),
    lookups: new Map(Object.entries(lookups)),
    patienceOver,
  });

/** The outcome of every row, in order. */
const byRow = (outcomes: ChunkOutcomes): Outcome[] =>
  ROWS.map(
    ({ row }) =>
      outcomes.rows.find((of) => of.row === row)?.outcome ?? outcomes.defaultOutcome.outcome,
  );

const all = (outcome: Outcome): Outcome[] => ROWS.map(() => outcome);

const tagged = (id: string, row: number, state: string): WithdrawalLookup => ({
  id,
  state,
  comment: `#${CODE}-${row}`,
});

describe('a mass payout as a whole', () => {
  it.each<{ state: string; outcome: Outcome; final: boolean }>`
    state                          | outcome        | final
    ${'COMPLETED'}                 | ${'PAID'}      | ${true}
    ${'FAILED'}                    | ${'FAILED'}    | ${true}
    ${'CANCELED'}                  | ${'NOT_SENT'}  | ${true}
    ${'CREATION_IN_PROGRESS'}      | ${'IN_FLIGHT'} | ${false}
    ${'PENDING_CONFIRMATION'}      | ${'IN_FLIGHT'} | ${false}
    ${'CONFIRMED'}                 | ${'IN_FLIGHT'} | ${false}
    ${'IN_PROGRESS'}               | ${'IN_FLIGHT'} | ${false}
    ${'WAITING_COMPLETION_ERRORS'} | ${'IN_FLIGHT'} | ${false}
    ${'completed'}                 | ${'IN_FLIGHT'} | ${false}
    ${'SOMETHING_NEW'}             | ${'IN_FLIGHT'} | ${false}
    ${'__proto__'}                 | ${'IN_FLIGHT'} | ${false}
  `('in state $state leaves every row $outcome', ({ state, outcome, final }) => {
    const outcomes = judge({ state });
    expect(byRow(outcomes)).toEqual(all(outcome));
    expect(outcomes.final).toBe(final);
  });

  it('that is PARTIAL and names no withdrawal gives no row an outcome', () => {
    expect(byRow(judge({ state: 'PARTIAL' }))).toEqual(all('UNKNOWN'));
  });

  it('that FAILED while a withdrawal is marked as resolved is not proof of failure', () => {
    const entries = [entry('w1', true)];
    expect(byRow(judge({ state: 'FAILED', entries }))).toEqual(all('UNKNOWN'));
  });

  it('that FAILED gives the reason that all its withdrawals share', () => {
    const outcomes = judge({ state: 'FAILED', entries: [entry('w1'), entry('w2')] });
    expect(outcomes.defaultOutcome).toEqual({
      outcome: 'FAILED',
      reason: 'rejected by compliance',
    });
  });

  it.each<[string, string[], string]>([
    ['none', [], 'the mass payout FAILED'],
    ['two', ['a', 'b', 'a'], 'the mass payout FAILED: 2 x a, 1 x b'],
    ['five', [...'abcde'], 'the mass payout FAILED: 1 x a, 1 x b, 1 x c, 1 x d, 1 x e'],
    ['many', [...'abcdefg'], 'the mass payout FAILED: 1 x a, 1 x b, 1 x c, 1 x d, 1 x e, ...'],
  ])('that FAILED for %s of them gives those reasons', (_, reasons, answer) => {
    const entries = reasons.map((reason, i) => entry(`w${i}`, false, reason));
    expect(judge({ state: 'FAILED', entries }).defaultOutcome).toEqual({
      outcome: 'FAILED',
      reason: answer,
    });
  });
});

describe.each(['PARTIAL', 'COMPLETED'])(
  'a mass payout in state %s that names withdrawals',
  (state) => {
    it.each<{ record: string; resolved: boolean; outcome: Outcome }>`
      record         | resolved | outcome
      ${'FAILED'}    | ${false} | ${'FAILED'}
      ${'CANCELED'}  | ${false} | ${'FAILED'}
      ${'COMPLETED'} | ${false} | ${'PAID'}
      ${'COMPLETED'} | ${true}  | ${'PAID'}
      ${'NEW_STATE'} | ${false} | ${'UNKNOWN'}
      ${'NEW_STATE'} | ${true}  | ${'PAID'}
    `('judges a row whose record is $record, resolved $resolved, as $outcome', (given) => {
      const { record, resolved, outcome } = given;
      const lookups = { w1: tagged('w1', 3, record) };
      const outcomes = judge({ state, entries: [entry('w1', resolved)], looks: lookups });
      expect(byRow(outcomes)).toEqual(['PAID', outcome, 'PAID', 'PAID', 'PAID']);
      expect(outcomes.final).toBe(true);
    });

    it('finds a row without a tag by address, amount and comment together', () => {
      const lookups = {
        w1: { id: 'w1', state: 'FAILED', depositAddress: 'C', amount: '3', comment: '' },
      };
      expect(byRow(judge({ state, entries: [entry('w1')], looks: lookups }))).toEqual([
        'PAID',
        'PAID',
        'FAILED',
        'PAID',
        'PAID',
      ]);
    });

    it('does not guess between two equal rows', () => {
      const lookups = { w1: { id: 'w1', state: 'FAILED', depositAddress: 'D', amount: '4' } };
      expect(byRow(judge({ state, entries: [entry('w1')], looks: lookups }))).toEqual([
        'PAID',
        'PAID',
        'PAID',
        'UNKNOWN',
        'UNKNOWN',
      ]);
    });

    it.each(['missing', 'unavailable', 'failed'] as const)(
      'leaves every other row UNKNOWN when one entry is %s',
      (lookup) => {
        const lookups = { w1: tagged('w1', 2, 'FAILED'), w2: lookup };
        const outcomes = judge({ state, entries: [entry('w1'), entry('w2')], looks: lookups });
        expect(byRow(outcomes)).toEqual(['FAILED', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
      },
    );

    it('ignores a tag of another batch', () => {
      const lookups = { w1: { id: 'w1', state: 'FAILED', comment: '#aaaaaaaa-2' } };
      expect(byRow(judge({ state, entries: [entry('w1')], looks: lookups }))).toEqual(
        all('UNKNOWN'),
      );
    });

    it('calls a row that two entries name UNKNOWN', () => {
      const lookups = { w1: tagged('w1', 2, 'FAILED'), w2: tagged('w2', 2, 'COMPLETED') };
      const outcomes = judge({ state, entries: [entry('w1'), entry('w2')], looks: lookups });
      expect(byRow(outcomes)).toEqual(['UNKNOWN', 'PAID', 'PAID', 'PAID', 'PAID']);
    });

    it.each(['IN_PROGRESS', 'WAITING_COMPLETION_ERRORS'])(
      'waits for a named withdrawal that is still %s, until patience is over',
      (record) => {
        const given = { state, entries: [entry('w1')], looks: { w1: tagged('w1', 2, record) } };
        const waiting = judge({ ...given, patienceOver: false });
        expect(waiting.final).toBe(false);
        expect(byRow(waiting)).toEqual(all('IN_FLIGHT'));
        const over = judge(given);
        expect(over.final).toBe(true);
        expect(byRow(over)).toEqual(['UNKNOWN', 'PAID', 'PAID', 'PAID', 'PAID']);
      },
    );
  },
);

describe('the end of a mass payout', () => {
  it.each<[string, Case, boolean]>([
    ['that FAILED', { state: 'FAILED' }, true],
    [
      'with one row that was not paid',
      { state: 'PARTIAL', entries: [entry('w1')], looks: { w1: tagged('w1', 2, 'FAILED') } },
      true,
    ],
    ['in which everybody was paid', { state: 'COMPLETED' }, false],
    ['that the merchant canceled', { state: 'CANCELED' }, false],
    ['that has not come', { state: 'IN_PROGRESS' }, false],
  ])('%s: people can still change it (%#)', (_which, given, isSoft) => {
    expect(isSoftEnd(judge(given))).toBe(isSoft);
  });

  it('is read a second time where it is FAILED, and only there', () => {
    const second = ['FAILED', 'PARTIAL', 'COMPLETED', 'CANCELED'].filter((state) =>
      needsSecondRead({ state, withdrawalErrors: [], unreadableParts: [] }),
    );
    expect(second).toEqual(['FAILED']);
  });
});

it('a row is shown as not sent yet while its chunk is planned and nothing else is stored', () => {
  expect(shownOutcome('IN_FLIGHT', 'PLANNED')).toBe('NOT_SENT_YET');
  expect(shownOutcome('IN_FLIGHT', 'SENDING')).toBe('IN_FLIGHT');
  expect(shownOutcome('PAID', 'PLANNED')).toBe('PAID');
});

describe('a withdrawal with several errors', () => {
  const errors = [
    { status: 'ERROR', errorResolved: true, errorMessage: 'first' },
    { status: 'ERROR', errorResolved: false, errorMessage: 'second' },
    { status: 'TIMEOUT', errorResolved: false },
    { errorResolved: false },
  ];

  it('is resolved only when each of them is', () => {
    const lookups = { w1: tagged('w1', 3, 'NEW_STATE') };
    const given = { state: 'PARTIAL', entries: [{ withdrawalId: 'w1', errors }], looks: lookups };
    expect(byRow(judge(given))[1]).toBe('UNKNOWN');
  });

  it('has the reasons of those that are not resolved', () => {
    const lookups = { w1: tagged('w1', 3, 'FAILED') };
    const reason = (of: typeof errors) =>
      judge({ state: 'PARTIAL', entries: [{ withdrawalId: 'w1', errors: of }], looks: lookups })
        .rows[0]?.reason;
    expect(reason(errors)).toBe('second; TIMEOUT');
    expect(reason([])).toBe('the service gives no reason');
  });

  it('and is not resolved when it has none', () => {
    const lookups = { w1: tagged('w1', 3, 'NEW_STATE') };
    const given = {
      state: 'PARTIAL',
      entries: [{ withdrawalId: 'w1', errors: [] }],
      looks: lookups,
    };
    expect(byRow(judge(given))[1]).toBe('UNKNOWN');
  });
});

it('a named withdrawal at its end is judged at once, in the order of the rows, by its own record', () => {
  const more = { transactionHash: 'h', fee: '0.1', feeCurrency: 'TRX' };
  const lookups = {
    w1: { id: 'w1', state: 'FAILED', comment: `#${CODE}-4`, ...more },
    w2: tagged('w2', 2, 'COMPLETED'),
  };
  const entries = [entry('w1'), entry('w2')];
  const outcomes = judge({ state: 'PARTIAL', entries, looks: lookups, patienceOver: false });
  expect(outcomes.final).toBe(true);
  expect(outcomes.rows).toEqual([
    { row: 2, outcome: 'PAID', reason: '', withdrawalId: 'w2' },
    { row: 4, outcome: 'FAILED', reason: 'rejected by compliance', withdrawalId: 'w1', ...more },
  ]);
});

it.each(['missing', 'failed'] as const)('a withdrawal that is %s is waited for', (lookup) => {
  const given = { state: 'PARTIAL', entries: [entry('w1')], looks: { w1: lookup } };
  expect(judge({ ...given, patienceOver: false }).final).toBe(false);
});

it('a withdrawal that the service cannot show is not waited for', () => {
  const lookups = { w1: 'unavailable' } as const;
  const given = { state: 'PARTIAL', entries: [entry('w1')], looks: lookups };
  expect(judge({ ...given, patienceOver: false }).final).toBe(true);
});

describe('a withdrawal that is marked as resolved', () => {
  const failed = { w1: tagged('w1', 3, 'FAILED') };
  const entries = [entry('w1', true)];

  it('and whose own record is FAILED is UNKNOWN in a PARTIAL mass payout', () => {
    const outcomes = judge({ state: 'PARTIAL', entries, looks: failed });
    expect(byRow(outcomes)).toEqual(['PAID', 'UNKNOWN', 'PAID', 'PAID', 'PAID']);
  });

  it('needs no lookup in a COMPLETED one: every row was paid', () => {
    expect(namedBy({ state: 'COMPLETED', withdrawalErrors: entries, unreadableParts: [] })).toEqual(
      [],
    );
    expect(byRow(judge({ state: 'COMPLETED', entries }))).toEqual(all('PAID'));
  });
});

it('a withdrawal that cannot be found yet is waited for, until patience is over', () => {
  const given = { state: 'PARTIAL', entries: [entry('w1')], looks: { w1: 'missing' as const } };
  expect(judge({ ...given, patienceOver: false }).final).toBe(false);
  expect(byRow(judge(given))).toEqual(all('UNKNOWN'));
});

it('a withdrawal without a lookup is never given up, with any patience', () => {
  const entries = [entry('w1'), entry('w2')];
  const outcomes = judge({ state: 'PARTIAL', entries, looks: { w1: tagged('w1', 2, 'FAILED') } });
  expect(outcomes.final).toBe(false);
  expect(byRow(outcomes)).toEqual(all('IN_FLIGHT'));
});

describe('with any answer of the service, the verdict', () => {
  const lookup = fc.oneof(
    fc.constantFrom<WithdrawalLookup>('missing', 'unavailable', 'failed'),
    fc.record({
      id: fc.constantFrom('w1', 'w2', 'w3'),
      state: fc.oneof(fc.constantFrom('FAILED', 'COMPLETED', 'IN_PROGRESS'), fc.string()),
      depositAddress: fc.constantFrom('A', 'B', 'C', 'D', 'X'),
      amount: fc.constantFrom('1', '2', '3', '4'),
      comment: fc.oneof(
        fc.constantFrom('', `#${CODE}-2`, `#${CODE}-6`, `#${CODE}-99`),
        fc.string(),
      ),
    }),
  );
  const answers = fc.record({
    state: fc.oneof(
      fc.constantFrom('COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED', 'IN_PROGRESS'),
      fc.string(),
    ),
    entries: fc.array(
      fc.record({
        withdrawalId: fc.constantFrom('w1', 'w2', 'w3', 'w4'),
        errors: fc.array(
          fc.record(
            { errorResolved: fc.boolean(), errorMessage: fc.string() },
            { requiredKeys: [] },
          ),
          { maxLength: 2 },
        ),
      }),
      { maxLength: 5 },
    ),
    looks: fc.dictionary(fc.constantFrom('w1', 'w2', 'w3'), lookup),
    patienceOver: fc.boolean(),
  });

  it('gives every row one outcome, of this chunk, and FAILED only with a record of that state', () => {
    fc.assert(
      fc.property(answers, (given) => {
        const outcomes = judge(given);
        const named = outcomes.rows.map(({ row }) => row);
        expect(new Set(named).size).toBe(named.length);
        expect(named.every((row) => ROWS.some((of) => of.row === row))).toBe(true);
        expect(byRow(outcomes)).toHaveLength(ROWS.length);
        for (const { outcome } of outcomes.rows) {
          if (outcome !== 'FAILED') continue;
          const proof = Object.values(given.looks).some(
            (of) => typeof of !== 'string' && (of.state === 'FAILED' || of.state === 'CANCELED'),
          );
          expect(proof).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives no row PAID, FAILED or lost before an end', () => {
    fc.assert(
      fc.property(answers, (given) => {
        const outcomes = judge(given);
        if (!outcomes.final) expect(byRow(outcomes)).toEqual(all('IN_FLIGHT'));
      }),
      { numRuns: 1_000 },
    );
  });
});
