import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type ClassRow,
  type ClassTransaction,
  matchClass,
  type PaymentClass,
} from '../../../src/domain/reconcile/match-class.ts';
import { OUTCOMES } from '../../../src/domain/settling/outcome.ts';

const hash = fc.option(fc.constantFrom('h1', 'h2', 'h3'), { nil: undefined });

const rows: fc.Arbitrary<readonly ClassRow[]> = fc
  .array(fc.record({ outcome: fc.constantFrom(...OUTCOMES), sinceMs: fc.nat(5), hash }), {
    maxLength: 7,
  })
  .map((all) => all.map((row, index) => ({ index, ...row })));

const transactions: fc.Arbitrary<readonly ClassTransaction[]> = fc
  .array(
    fc.record({
      isOfMassPayout: fc.boolean(),
      atMs: fc.option(fc.nat(9), { nil: undefined }),
      hash,
    }),
    { maxLength: 9 },
  )
  .map((all) => all.map((transaction, index) => ({ index, ...transaction })));

const paymentClass: fc.Arbitrary<PaymentClass> = fc.record({
  rows,
  transactions,
  others: fc.record({ certain: fc.nat(3), possible: fc.nat(3) }),
});

const fits = ({ sinceMs }: ClassRow, { atMs }: ClassTransaction): boolean =>
  atMs === undefined || atMs >= sinceMs;

/** How many rows can have a transaction at once, found by trying every choice. */
function mostPairs(wanting: readonly ClassRow[], there: readonly ClassTransaction[]): number {
  const [row, ...rest] = wanting;
  if (row === undefined) return 0;
  const choices = there.filter((each) => fits(row, each));
  const withRow = choices.map(
    (chosen) =>
      1 +
      mostPairs(
        rest,
        there.filter((each) => each !== chosen),
      ),
  );
  return Math.max(mostPairs(rest, there), ...withRow);
}

describe('matching the rows and transactions of one class', () => {
  it('gives each row one transaction at most and each transaction to one row at most', () => {
    fc.assert(
      fc.property(paymentClass, (given) => {
        const { pairs } = matchClass(given);
        expect(new Set(pairs.map(({ row }) => row.index)).size).toBe(pairs.length);
        expect(new Set(pairs.map(({ transaction }) => transaction.index)).size).toBe(pairs.length);
      }),
    );
  });

  it('loses no transaction and makes none up', () => {
    fc.assert(
      fc.property(paymentClass, (given) => {
        const { pairs, ofOthers, unclaimed } = matchClass(given);
        expect(pairs.length + ofOthers + unclaimed.length).toBe(given.transactions.length);
        const told = [...pairs.map(({ transaction }) => transaction), ...unclaimed];
        expect(new Set(told).size).toBe(told.length);
        for (const one of told) expect(given.transactions).toContain(one);
      }),
    );
  });

  it('decides for every PAID row whether it has one', () => {
    fc.assert(
      fc.property(paymentClass, (given) => {
        const { pairs, missing } = matchClass(given);
        const found = pairs.map(({ row }) => row);
        const paid = given.rows.filter(({ outcome }) => outcome === 'PAID');
        expect(new Set([...found.filter((row) => paid.includes(row)), ...missing])).toEqual(
          new Set(paid),
        );
        for (const row of missing) expect(found).not.toContain(row);
      }),
    );
  });

  it('pairs a row only with a transaction that has its hash, or could be in time', () => {
    fc.assert(
      fc.property(paymentClass, (given) => {
        for (const { row, transaction, certainty } of matchClass(given).pairs) {
          const isRight =
            certainty === 'hash' ? row.hash === transaction.hash : fits(row, transaction);
          expect(isRight).toBe(true);
          if (certainty === 'only') expect(given.rows).toHaveLength(1);
        }
      }),
    );
  });

  it('leaves no PAID row without one that another choice would have given one', () => {
    const withoutHashes = paymentClass.map((given) => ({
      ...given,
      rows: given.rows.slice(0, 5).map((row) => ({ ...row, hash: undefined })),
      transactions: given.transactions.slice(0, 5),
    }));
    fc.assert(
      fc.property(withoutHashes, (given) => {
        const paid = given.rows.filter(({ outcome }) => outcome === 'PAID');
        const found = matchClass(given).pairs.filter(({ row }) => row.outcome === 'PAID');
        expect(found).toHaveLength(mostPairs(paid, given.transactions));
      }),
    );
  });

  it('returns the same for any order of rows and transactions in time', () => {
    fc.assert(
      fc.property(paymentClass, (given) => {
        const turned = {
          ...given,
          rows: [...given.rows].reverse(),
          transactions: [...given.transactions].reverse(),
        };
        const counts = ({ pairs, missing, ofOthers, short, unclaimed }: Matched) => [
          ...[pairs.length, missing.length, ofOthers, short, unclaimed.length],
        ];
        expect(counts(matchClass(turned))).toEqual(counts(matchClass(given)));
      }),
    );
  });
});

type Matched = ReturnType<typeof matchClass>;

const row = (index: number, more: Partial<ClassRow> = {}): ClassRow => ({
  index,
  outcome: 'PAID',
  sinceMs: 0,
  ...more,
});
const made = (index: number, more: Partial<ClassTransaction> = {}): ClassTransaction => ({
  index,
  isOfMassPayout: true,
  atMs: index,
  ...more,
});
const NOBODY = { certain: 0, possible: 0 };

const shown = ({ pairs, unclaimed, ...match }: Matched) => ({
  pairs: pairs.map(({ row: one, transaction, certainty }) =>
    [one.index, transaction.index, certainty].join(' '),
  ),
  missing: match.missing.map(({ index }) => index),
  unclaimed: unclaimed.map(({ index }) => index),
  ofOthers: match.ofOthers,
  short: match.short,
});

const NOTHING_LEFT = { missing: [], unclaimed: [], ofOthers: 0, short: 0 };

describe('the matches', () => {
  it.each<readonly [string, Partial<PaymentClass>, object]>([
    [
      'one row and one transaction',
      { rows: [row(0)], transactions: [made(0)] },
      { pairs: ['0 0 only'] },
    ],
    [
      'rows that are alike, in order',
      { rows: [row(0), row(1)], transactions: [made(0), made(1)] },
      { pairs: ['0 0 equal', '1 1 equal'] },
    ],
    [
      'a hash in the record of a withdrawal',
      { rows: [row(0), row(1, { hash: 'x' })], transactions: [made(0, { hash: 'x' }), made(1)] },
      { pairs: ['1 0 hash', '0 1 equal'] },
    ],
    [
      'what a mass payout made, before what a person sent earlier',
      { rows: [row(0)], transactions: [made(0, { isOfMassPayout: false }), made(1)] },
      { pairs: ['0 1 only'], unclaimed: [0] },
    ],
    [
      'nothing that is older than the create',
      { rows: [row(0, { sinceMs: 5 })], transactions: [made(4)] },
      { pairs: [], missing: [0], unclaimed: [4] },
    ],
    [
      'anything without a date',
      { rows: [row(0, { sinceMs: 5 })], transactions: [made(4, { atMs: undefined })] },
      { pairs: ['0 4 only'] },
    ],
    [
      'a PAID row before one that may be paid, and that before one that was not',
      {
        rows: [row(0, { outcome: 'FAILED' }), row(1, { outcome: 'UNKNOWN' }), row(2)],
        transactions: [made(0), made(1)],
      },
      { pairs: ['2 0 equal', '1 1 equal'] },
    ],
    [
      'a row that counts as unpaid, when no other row is left',
      { rows: [row(0, { outcome: 'NOT_SENT' })], transactions: [made(0)] },
      { pairs: ['0 0 only'] },
    ],
    [
      'other batches, before a row that counts as unpaid',
      {
        rows: [row(0, { outcome: 'FAILED' })],
        transactions: [made(0)],
        others: { certain: 0, possible: 1 },
      },
      { pairs: [], ofOthers: 1 },
    ],
    [
      'a row and another batch that are one transaction short',
      { rows: [row(0)], transactions: [made(0)], others: { certain: 1, possible: 0 } },
      { pairs: ['0 0 only'], short: 1 },
    ],
    [
      'another batch that lacks one, when no row of ours was paid: its own affair',
      { rows: [row(0, { outcome: 'FAILED' })], others: { certain: 1, possible: 0 } },
      { pairs: [] },
    ],
    [
      'another batch that lacks one, when ours is known by its hash: its own affair',
      {
        rows: [row(0, { hash: 'x' })],
        transactions: [made(0, { hash: 'x' })],
        others: { certain: 1, possible: 0 },
      },
      { pairs: ['0 0 hash'] },
    ],
    ['no row, when no row claims it', { transactions: [made(0)] }, { pairs: [], unclaimed: [0] }],
  ])('%s', (_what, given, expected) => {
    const whole = { rows: [], transactions: [], others: NOBODY, ...given };
    expect(shown(matchClass(whole))).toEqual({ ...NOTHING_LEFT, ...expected });
  });

  it('take linear time for a hundred thousand equal rows', () => {
    const count = 100_000;
    const match = matchClass({
      rows: Array.from({ length: count }, (_, index) => row(index)),
      transactions: Array.from({ length: count }, (_, index) => made(index)),
      others: NOBODY,
    });
    expect(match.pairs).toHaveLength(count);
  });
});
