import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Inclusion,
  isEndOfChunk,
  isUnpaid,
  standingOf,
  tellingOf,
} from '../../../src/domain/lineage/lineage.ts';
import { CHUNK_STATES } from '../../../src/domain/batch/chunk-state.ts';
import { OUTCOMES } from '../../../src/domain/settling/outcome.ts';

const outcome = fc.constantFrom(...OUTCOMES);
const saying = fc.record({ outcome, isEnd: fc.boolean() });
type Said = Readonly<{ outcome: (typeof OUTCOMES)[number]; isEnd: boolean }>;

const ROWS = 12;

/** What happens to a lineage: a resend is made, whose rows end somehow; or somebody changes what an older batch says of a row. */
const event = fc.oneof(
  fc.record({
    kind: fc.constant('resend' as const),
    ends: fc.array(saying, { minLength: ROWS, maxLength: ROWS }),
  }),
  fc.record({
    kind: fc.constant('later word' as const),
    row: fc.nat(ROWS - 1),
    generation: fc.nat(4),
    now: saying,
  }),
);

/** Rows with what each generation that holds them says, kept by the rules of the code under test. */
function createModel(first: readonly Said[]) {
  const rows = first.map((one): Inclusion[] => [{ generation: 0, ...one }]);
  let newest = 0;
  const unpaid = (): number[] =>
    rows.flatMap((history, row) => (standingOf(history) === 'UNPAID' ? [row] : []));
  return {
    rows,
    unpaid,
    /** Makes a resend of all that may be sent again; answers with its rows. */
    resend(ends: readonly Said[]): number[] {
      const sent = unpaid();
      newest += 1;
      for (const row of sent) rows[row]?.push({ generation: newest, ...(ends[row] as Said) });
      return sent;
    },
    laterWord(row: number, generation: number, now: Said): void {
      const history = rows[row] ?? [];
      const at = history.findIndex((one) => one.generation === generation);
      if (at >= 0) history[at] = { generation, ...now };
    },
  };
}

const histories = fc.tuple(
  fc.array(saying, { minLength: ROWS, maxLength: ROWS }),
  fc.array(event, { maxLength: 25 }),
);

/** The oracle: whether a row is unpaid for certain, said in other words than in the code. */
const certainlyUnpaid = (history: readonly Inclusion[]): boolean =>
  !history.some(({ isEnd, outcome: now }) => !isEnd || !['FAILED', 'NOT_SENT'].includes(now));

describe('over any course of a lineage', () => {
  it('no row is sent again while any batch that holds it may have paid it, and no unpaid row is left behind', () => {
    fc.assert(
      fc.property(histories, ([first, events]) => {
        const model = createModel(first);
        for (const one of events) {
          if (one.kind === 'later word') {
            model.laterWord(one.row, one.generation, one.now);
            continue;
          }
          const before = model.rows.map((history) => certainlyUnpaid(history));
          const sent = new Set(model.resend(one.ends));
          expect(before.map((unpaid, row) => unpaid === sent.has(row))).not.toContain(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('a row that one batch has paid is never in a later one, after any later read of the others', () => {
    fc.assert(
      fc.property(histories, fc.nat(ROWS - 1), ([first, events], row) => {
        const model = createModel(first);
        model.laterWord(row, 0, { outcome: 'PAID', isEnd: true });
        for (const one of events) {
          if (one.kind === 'resend') expect(model.resend(one.ends)).not.toContain(row);
          else if (one.row !== row) model.laterWord(one.row, one.generation, one.now);
        }
      }),
    );
  });

  it('resends only shrink while no read changes', () => {
    fc.assert(
      fc.property(
        fc.array(saying, { minLength: ROWS, maxLength: ROWS }),
        fc.array(fc.array(saying, { minLength: ROWS, maxLength: ROWS }), { maxLength: 5 }),
        (first, all) => {
          const model = createModel(first);
          let before: readonly number[] | undefined;
          for (const ends of all) {
            const sent = model.resend(ends);
            if (before !== undefined) expect(before).toEqual(expect.arrayContaining(sent));
            before = sent;
          }
        },
      ),
    );
  });

  it('every row has one state, and it is UNPAID exactly when it may be sent again', () => {
    const inclusion = fc.record({ generation: fc.nat(5), outcome, isEnd: fc.boolean() });
    fc.assert(
      fc.property(fc.array(inclusion, { minLength: 1, maxLength: 5 }), (history) => {
        const standing = standingOf(history);
        expect(standing === 'UNPAID').toBe(history.every(isUnpaid));
        const doubtful = history.filter((one) => !isUnpaid(one));
        expect(standing === 'PAID_TWICE' || standing === 'MAYBE_TWICE').toBe(doubtful.length > 1);
        const telling = tellingOf(history);
        if (standing !== 'UNPAID') expect(telling && isUnpaid(telling)).toBe(false);
      }),
    );
  });
});

it.each<[string, readonly [Inclusion['outcome'], boolean][], string]>([
  ['failed', [['FAILED', true]], 'UNPAID'],
  ['was never sent', [['NOT_SENT', true]], 'UNPAID'],
  ['was paid', [['PAID', true]], 'PAID'],
  [
    'failed and was paid by a resend',
    [
      ['FAILED', true],
      ['PAID', true],
    ],
    'PAID',
  ],
  [
    'was paid after all, and failed in its resend',
    [
      ['PAID', true],
      ['FAILED', true],
    ],
    'PAID',
  ],
  [
    'was paid after all, and by its resend',
    [
      ['PAID', true],
      ['PAID', true],
    ],
    'PAID_TWICE',
  ],
  [
    'is on its way again, and was paid by its resend',
    [
      ['IN_FLIGHT', false],
      ['PAID', true],
    ],
    'MAYBE_TWICE',
  ],
  [
    'is on its way in its resend',
    [
      ['FAILED', true],
      ['IN_FLIGHT', false],
    ],
    'OPEN',
  ],
  ['is unknown', [['UNKNOWN', true]], 'UNKNOWN'],
  ['is called failed by a chunk that is not at its end', [['FAILED', false]], 'OPEN'],
  ['was abandoned by an operator, and is in no resend', [['UNKNOWN', false]], 'UNKNOWN'],
])('a row that %s is %j together: %s', (_what, given, standing) => {
  const history = given.map(([of, isEnd], generation) => ({ generation, outcome: of, isEnd }));
  expect(standingOf(history)).toBe(standing);
});

it('a row without an outcome in any batch is never called unpaid', () => {
  expect(standingOf([])).toBe('UNKNOWN');
});

it.each(CHUNK_STATES)('the record of a chunk that is %s counts only at its end', (state) => {
  const isEnd = ['CREATED', 'REJECTED', 'NOT_SENT'].includes(state);
  expect(isEndOfChunk({ state, final: true })).toBe(isEnd);
  expect(isEndOfChunk({ state, final: false })).toBe(false);
});
