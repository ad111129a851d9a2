import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  giveUpOutcomes,
  type ReportedOutcomes,
  mergeRecheck,
} from '../../../src/domain/lineage/merge-recheck.ts';
import {
  type ChunkOutcomes,
  type Outcome,
  OUTCOMES,
  type RowOutcome,
} from '../../../src/domain/settling/outcome.ts';

const ROWS = [2, 3, 4, 5];

const withReason = (outcome: Outcome, reason = '') => ({ outcome, reason });

const knownOf = (rest: Outcome, own: Readonly<Record<number, Outcome>> = {}): ReportedOutcomes => ({
  defaultOutcome: withReason(rest),
  rows: new Map(
    Object.entries(own).map(([row, outcome]) => [
      Number(row),
      { row: Number(row), ...withReason(outcome), withdrawalId: `w${row}` },
    ]),
  ),
});

const freshOf = (
  rest: Outcome,
  own: Readonly<Record<number, Outcome>> = {},
  final = true,
): ChunkOutcomes => ({
  massPayoutState: 'PARTIAL',
  final,
  defaultOutcome: withReason(rest),
  rows: Object.entries(own).map(([row, outcome]) => ({
    row: Number(row),
    withdrawalId: `w${row}`,
    ...withReason(outcome, outcome === 'FAILED' ? 'declined' : ''),
  })),
});

/** The outcome of each row. */
const outcomesOf = ({ defaultOutcome: rest, rows }: ChunkOutcomes, all = ROWS): Outcome[] => {
  const own = new Map(rows.map((each) => [each.row, each.outcome]));
  return all.map((row) => own.get(row) ?? rest.outcome);
};

const later = (known: ReportedOutcomes, fresh: ChunkOutcomes, coversAllRows = true) =>
  mergeRecheck(known, {
    fresh,
    coversAllRows: coversAllRows,
    rows: ROWS,
    unknownStays: () => true,
  });

describe('a recheck of a finished chunk', () => {
  const failed = knownOf('PAID', { 3: 'FAILED', 4: 'FAILED' });

  it('calls rows paid that were sent again', () => {
    const { merged: now, changes } = later(failed, freshOf('PAID', { 4: 'FAILED' }));
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'FAILED', 'PAID']);
    expect(changes).toEqual([{ row: 3, before: 'FAILED', after: 'PAID' }]);
    expect(now.final).toBe(true);
  });

  it('changes nothing when it equals the reported outcome', () => {
    const { merged: now, changes } = later(failed, freshOf('PAID', { 3: 'FAILED', 4: 'FAILED' }));
    expect(changes).toEqual([]);
    expect(outcomesOf(now)).toEqual(['PAID', 'FAILED', 'FAILED', 'PAID']);
  });

  it('leaves paid rows paid while the others are on their way again', () => {
    const { merged: now, changes } = later(failed, freshOf('IN_FLIGHT', {}, false));
    expect(outcomesOf(now)).toEqual(['PAID', 'IN_FLIGHT', 'IN_FLIGHT', 'PAID']);
    expect(now.final).toBe(false);
    expect(changes.map(({ row }) => row)).toEqual([3, 4]);
  });

  it.each(['FAILED', 'NOT_SENT', 'UNKNOWN'] as const)(
    'never turns a row that was reported as paid into an unpaid one, though it has %s',
    (outcome) => {
      const { merged: now } = later(
        failed,
        freshOf('PAID', { 2: outcome, 3: 'FAILED', 4: 'FAILED' }),
      );
      expect(outcomesOf(now)).toEqual(['UNKNOWN', 'FAILED', 'FAILED', 'PAID']);
    },
  );

  it('changes nothing for rows that were never reported', () => {
    const { merged: now, changes } = later(failed, freshOf('UNKNOWN', { 3: 'PAID' }), false);
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'FAILED', 'PAID']);
    expect(changes).toEqual([{ row: 3, before: 'FAILED', after: 'PAID' }]);
  });

  it('is no end while a row of it is still on its way', () => {
    const onTheWay = knownOf('PAID', { 3: 'IN_FLIGHT', 4: 'IN_FLIGHT' });
    const { merged: now } = later(onTheWay, freshOf('UNKNOWN', { 3: 'PAID' }), false);
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'IN_FLIGHT', 'PAID']);
    expect(now.final).toBe(false);
  });

  it('calls rows paid that were unknown, and never unpaid: the rows to resend only shrink', () => {
    const { merged: now } = later(knownOf('UNKNOWN'), freshOf('PAID', { 5: 'FAILED' }));
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'PAID', 'UNKNOWN']);
  });

  it('may call rows unpaid that were unknown as long as no report and no earlier outcome named them', () => {
    const fresh = freshOf('PAID', { 5: 'FAILED' });
    const first = { fresh, coversAllRows: true, rows: ROWS, unknownStays: () => false };
    const { merged: now } = mergeRecheck(knownOf('UNKNOWN'), first);
    expect(outcomesOf(now)).toEqual(['PAID', 'PAID', 'PAID', 'FAILED']);
  });

  it('does not count after too many changes: only rows that were reported as paid stay so', () => {
    const { merged: now } = giveUpOutcomes(failed, ROWS, 'PARTIAL');
    expect(outcomesOf(now)).toEqual(['PAID', 'UNKNOWN', 'UNKNOWN', 'PAID']);
    expect(now.final).toBe(true);
  });
});

describe('after any reported outcome and any later read', () => {
  const outcome = fc.constantFrom(...OUTCOMES);
  const own = fc.dictionary(fc.constantFrom('2', '3', '4', '5'), outcome);
  const word = fc.record({ rest: outcome, own, final: fc.boolean(), coversAllRows: fc.boolean() });
  const known = fc.record({ rest: outcome, own });

  it('no row may be resent that was paid or unknown once, after any number of rechecks', () => {
    fc.assert(
      fc.property(known, fc.array(word, { minLength: 2, maxLength: 6 }), (was, words) => {
        let now = knownOf(was.rest, was.own);
        const once = new Set<number>();
        for (const { rest, own: rows, final, coversAllRows } of words) {
          for (const row of ROWS) {
            const outcomeNow = (now.rows.get(row) ?? now.defaultOutcome).outcome;
            if (outcomeNow === 'PAID' || outcomeNow === 'UNKNOWN') once.add(row);
          }
          const { merged: next } = later(now, freshOf(rest, rows, final), coversAllRows);
          now = {
            defaultOutcome: next.defaultOutcome,
            rows: new Map(next.rows.map((each) => [each.row, each])),
          };
          for (const row of once) {
            expect(['PAID', 'UNKNOWN']).toContain(
              (now.rows.get(row) ?? now.defaultOutcome).outcome,
            );
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('paid rows stay paid or become unknown, and the changes are exactly the differences', () => {
    fc.assert(
      fc.property(known, word, (was, { rest, own: rows, final, coversAllRows }) => {
        const before = knownOf(was.rest, was.own);
        const { merged: now, changes } = later(before, freshOf(rest, rows, final), coversAllRows);
        const beforeAll = ROWS.map(
          (row) => (before.rows.get(row) ?? before.defaultOutcome).outcome,
        );
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
        expect(new Set(now.rows.map(({ row }: RowOutcome) => row)).size).toBe(now.rows.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
