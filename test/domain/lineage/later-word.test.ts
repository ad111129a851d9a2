import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { givenUp, type Known, laterWord } from '../../../src/domain/lineage/later-word.ts';
import {
  type ChunkVerdict,
  type Outcome,
  OUTCOMES,
  type RowVerdict,
} from '../../../src/domain/settling/outcome.ts';

const ROWS = [2, 3, 4, 5];

const verdict = (outcome: Outcome, reason = '') => ({ outcome, reason });

const knownOf = (rest: Outcome, own: Readonly<Record<number, Outcome>> = {}): Known => ({
  rest: verdict(rest),
  rows: new Map(
    Object.entries(own).map(([row, outcome]) => [
      Number(row),
      { row: Number(row), ...verdict(outcome), withdrawalId: `w${row}` },
    ]),
  ),
});

const freshOf = (
  rest: Outcome,
  own: Readonly<Record<number, Outcome>> = {},
  final = true,
): ChunkVerdict => ({
  massPayoutState: 'PARTIAL',
  final,
  rest: verdict(rest),
  rows: Object.entries(own).map(([row, outcome]) => ({
    row: Number(row),
    withdrawalId: `w${row}`,
    ...verdict(outcome, outcome === 'FAILED' ? 'declined' : ''),
  })),
});

/** The outcome of each row. */
const outcomesOf = ({ rest, rows }: ChunkVerdict, all = ROWS): Outcome[] => {
  const own = new Map(rows.map((each) => [each.row, each.outcome]));
  return all.map((row) => own.get(row) ?? rest.outcome);
};

const later = (known: Known, fresh: ChunkVerdict, isAllTold = true) =>
  laterWord(known, { fresh, isAllTold, rows: ROWS, unknownStays: () => true });

describe('a recheck of a finished chunk', () => {
  const failed = knownOf('PAID', { 3: 'FAILED', 4: 'FAILED' });

  it('calls rows paid that were sent again', () => {
    const { verdict: now, changes } = later(failed, freshOf('PAID', { 4: 'FAILED' }));
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'FAILED', 'PAID']);
    expect(changes).toEqual([{ row: 3, before: 'FAILED', after: 'PAID' }]);
    expect(now.final).toBe(true);
  });

  it('changes nothing when it equals the reported outcome', () => {
    const { verdict: now, changes } = later(failed, freshOf('PAID', { 3: 'FAILED', 4: 'FAILED' }));
    expect(changes).toEqual([]);
    expect(outcomesOf(now)).toEqual(['PAID', 'FAILED', 'FAILED', 'PAID']);
  });

  it('leaves paid rows paid while the others are on their way again', () => {
    const { verdict: now, changes } = later(failed, freshOf('IN_FLIGHT', {}, false));
    expect(outcomesOf(now)).toEqual(['PAID', 'IN_FLIGHT', 'IN_FLIGHT', 'PAID']);
    expect(now.final).toBe(false);
    expect(changes.map(({ row }) => row)).toEqual([3, 4]);
  });

  it.each(['FAILED', 'NOT_SENT', 'UNKNOWN'] as const)(
    'never turns a row that was reported as paid into an unpaid one, though it has %s',
    (outcome) => {
      const { verdict: now } = later(
        failed,
        freshOf('PAID', { 2: outcome, 3: 'FAILED', 4: 'FAILED' }),
      );
      expect(outcomesOf(now)).toEqual(['UNKNOWN', 'FAILED', 'FAILED', 'PAID']);
    },
  );

  it('changes nothing for rows that were never reported', () => {
    const { verdict: now, changes } = later(failed, freshOf('UNKNOWN', { 3: 'PAID' }), false);
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'FAILED', 'PAID']);
    expect(changes).toEqual([{ row: 3, before: 'FAILED', after: 'PAID' }]);
  });

  it('is no end while a row of it is still on its way', () => {
    const onTheWay = knownOf('PAID', { 3: 'IN_FLIGHT', 4: 'IN_FLIGHT' });
    const { verdict: now } = later(onTheWay, freshOf('UNKNOWN', { 3: 'PAID' }), false);
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'IN_FLIGHT', 'PAID']);
    expect(now.final).toBe(false);
  });

  it('calls rows paid that were unknown, and never unpaid: the rows to resend only shrink', () => {
    const { verdict: now } = later(knownOf('UNKNOWN'), freshOf('PAID', { 5: 'FAILED' }));
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'PAID', 'UNKNOWN']);
  });

  it('may call rows unpaid that were unknown as long as no report and no earlier verdict named them', () => {
    const fresh = freshOf('PAID', { 5: 'FAILED' });
    const first = { fresh, isAllTold: true, rows: ROWS, unknownStays: () => false };
    const { verdict: now } = laterWord(knownOf('UNKNOWN'), first);
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'PAID', 'FAILED']);
  });

  it('does not count after too many changes: only rows that were reported as paid stay so', () => {
    const { verdict: now } = givenUp(failed, ROWS, 'PARTIAL');
    expect(outcomesOf(now)).toEqual(['PAID', 'UNKNOWN', 'UNKNOWN', 'PAID']);
    expect(now.final).toBe(true);
  });
});

describe('after any reported outcome and any later read', () => {
  const outcome = fc.constantFrom(...OUTCOMES);
  const own = fc.dictionary(fc.constantFrom('2', '3', '4', '5'), outcome);
  const word = fc.record({ rest: outcome, own, final: fc.boolean(), isAllTold: fc.boolean() });
  const known = fc.record({ rest: outcome, own });

  it('no row may be resent that was paid or unknown once, after any number of rechecks', () => {
    fc.assert(
      fc.property(known, fc.array(word, { minLength: 2, maxLength: 6 }), (was, words) => {
        let now = knownOf(was.rest, was.own);
        const once = new Set<number>();
        for (const { rest, own: rows, final, isAllTold } of words) {
          for (const row of ROWS) {
            const outcomeNow = (now.rows.get(row) ?? now.rest).outcome;
            if (outcomeNow === 'PAID' || outcomeNow === 'UNKNOWN') once.add(row);
          }
          const { verdict: next } = later(now, freshOf(rest, rows, final), isAllTold);
          now = { rest: next.rest, rows: new Map(next.rows.map((each) => [each.row, each])) };
          for (const row of once) {
            expect(['PAID', 'UNKNOWN']).toContain((now.rows.get(row) ?? now.rest).outcome);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('paid rows stay paid or become unknown, and the changes are exactly the differences', () => {
    fc.assert(
      fc.property(known, word, (was, { rest, own: rows, final, isAllTold }) => {
        const before = knownOf(was.rest, was.own);
        const { verdict: now, changes } = later(before, freshOf(rest, rows, final), isAllTold);
        const beforeAll = ROWS.map((row) => (before.rows.get(row) ?? before.rest).outcome);
        const after = outcomesOf(now);
        for (const [i, outcomeBefore] of beforeAll.entries()) {
          if (outcomeBefore === 'PAID') expect(['PAID', 'UNKNOWN']).toContain(after[i]);
        }
        expect(changes).toEqual(
          ROWS.flatMap((row, i) =>
            beforeAll[i] === after[i] ? [] : [{ row, before: beforeAll[i], after: after[i] }],
          ),
        );
        expect(now.final).toBe(!after.includes('IN_FLIGHT'));
        expect(new Set(now.rows.map(({ row }: RowVerdict) => row)).size).toBe(now.rows.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
