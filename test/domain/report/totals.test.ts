import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Requested, type Share, tieOut } from '../../../src/domain/report/totals.ts';
import { OUTCOMES, type Outcome, type ShownOutcome } from '../../../src/domain/settling/outcome.ts';

const share = (outcome: ShownOutcome, rows: number, amount: string, currency = 'BTC'): Share => ({
  currency,
  outcome,
  rows,
  amount,
});

const REQUESTED: Requested = {
  rows: 10,
  amounts: [
    { currency: 'BTC', requested: '1.5', fee: '0.01' },
    { currency: 'ETH', requested: '0.000000000000000003', fee: '0' },
  ],
};

const SHARES: readonly Share[] = [
  share('PAID', 3, '1'),
  share('PAID', 1, '0.25'),
  share('FAILED', 2, '0.2'),
  share('UNKNOWN', 1, '0.05'),
  share('NOT_SENT', 1, '0.000000000000000001', 'ETH'),
  share('IN_FLIGHT', 1, '0.000000000000000002', 'ETH'),
  share('NOT_SENT', 1, '0', ''),
];

describe('shares that add up to the file', () => {
  it('become totals by outcome and currency', () => {
    const none = { paid: '0', failed: '0', unknown: '0', notSent: '0', inFlight: '0' };
    expect(tieOut('b', REQUESTED, SHARES)).toEqual({
      rows: { total: 10, paid: 4, failed: 2, unknown: 1, notSent: 2, inFlight: 1 },
      amounts: [
        {
          ...none,
          currency: 'BTC',
          requested: '1.5',
          fee: '0.01',
          paid: '1.25',
          failed: '0.2',
          unknown: '0.05',
        },
        {
          ...none,
          currency: 'ETH',
          requested: '0.000000000000000003',
          fee: '0',
          notSent: '0.000000000000000001',
          inFlight: '0.000000000000000002',
        },
      ],
    });
  });

  it('count the rows that have not left yet, but only while there are some', () => {
    const shares = [...SHARES.slice(1), share('NOT_SENT_YET', 3, '1')];
    const { rows, amounts } = tieOut('b', REQUESTED, shares);
    expect(rows).toMatchObject({ total: 10, paid: 1, inFlight: 1, notSentYet: 3 });
    expect(amounts).toMatchObject([
      { paid: '0.25', notSentYet: '1' },
      { inFlight: '0.000000000000000002' },
    ]);
    expect(amounts[1]).not.toHaveProperty('notSentYet');
    const short = shares.slice(0, -1);
    expect(() => tieOut('b', REQUESTED, short)).toThrow('7 rows instead of 10');
  });

  it('may be none, for a file without rows', () => {
    expect(tieOut('b', { rows: 0, amounts: [] }, []).rows.total).toBe(0);
  });
});

describe('shares that do not add up', () => {
  it.each<[string, readonly Share[], string]>([
    ['a row too few', SHARES.slice(0, -1), '9 rows instead of 10'],
    ['a row too many', [...SHARES, share('PAID', 1, '0')], '11 rows instead of 10'],
    [
      'an amount too much',
      [...SHARES.slice(1), share('PAID', 3, '1.000000000000000001')],
      '0.000000000000000001 BTC',
    ],
    ['an amount too little', [...SHARES.slice(1), share('PAID', 3, '0.9')], '-0.10 BTC'],
    [
      'an amount in a currency that the file does not have',
      [...SHARES.slice(0, -1), share('PAID', 1, '5', 'TRX')],
      '5.00 TRX that the file does not ask for',
    ],
    [
      'a share below zero that hides another',
      [...SHARES.slice(1), share('PAID', 2, '2'), share('FAILED', 1, '-1')],
      '1 rows of -1.00 BTC as FAILED',
    ],
    [
      'rows below zero that hide others',
      [...SHARES, share('PAID', 2, '0'), share('FAILED', -2, '0')],
      '-2 rows of 0.00 BTC as FAILED',
    ],
    [
      'half a row',
      [...SHARES.slice(0, -1), share('PAID', 0.5, '0'), share('FAILED', 0.5, '0')],
      '0.5 rows of 0.00 BTC as PAID',
    ],
    [
      'an amount without rows',
      [share('PAID', 3, '0.5'), share('PAID', 0, '0.5'), ...SHARES.slice(1)],
      '0 rows of 0.50 BTC as PAID',
    ],
  ])('are refused: %s', (_, shares, difference) => {
    expect(() => tieOut('b', REQUESTED, shares)).toThrow(
      expect.objectContaining({ code: 'TIE_OUT_BROKEN', facts: { batchId: 'b', difference } }),
    );
  });

  it('are refused when the file names a currency twice', () => {
    const amounts = [...REQUESTED.amounts, ...REQUESTED.amounts];
    expect(() => tieOut('b', { ...REQUESTED, amounts }, SHARES)).toThrow(
      expect.objectContaining({ code: 'TIE_OUT_BROKEN' }),
    );
  });
});

describe('with any outcomes', () => {
  const anyShares = fc.array(
    fc.record({
      currency: fc.constantFrom('BTC', 'ETH', 'USDT_TRC20'),
      outcome: fc.constantFrom(...OUTCOMES),
      rows: fc.integer({ min: 1, max: 1_000 }),
      units: fc.bigInt({ min: 0n, max: 10n ** 28n }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  type Drawn = Readonly<{ currency: string; outcome: Outcome; rows: number; units: bigint }>;

  // Whole amounts here: that sums of decimals are exact is proved where amounts are tested.
  const toShares = (drawn: readonly Drawn[]): Share[] =>
    drawn.map(({ units, ...rest }) => ({ ...rest, amount: String(units) }));
  const toRequested = (drawn: readonly Drawn[]): Requested => ({
    rows: drawn.reduce((sum, { rows }) => sum + rows, 0),
    amounts: [...new Set(drawn.map(({ currency }) => currency))].map((currency) => ({
      currency,
      requested: String(
        drawn.filter((d) => d.currency === currency).reduce((sum, { units }) => sum + units, 0n),
      ),
      fee: '0',
    })),
  });

  it('all rows and amounts of the file stand in the totals, in any order of shares', () => {
    fc.assert(
      fc.property(anyShares, (drawn) => {
        const totals = tieOut('b', toRequested(drawn), toShares(drawn));
        const { total, ...byOutcome } = totals.rows;
        expect(Object.values(byOutcome).reduce((sum, count) => sum + count, 0)).toBe(total);
        expect(tieOut('b', toRequested(drawn), toShares(drawn).reverse())).toEqual(totals);
      }),
    );
  });

  it('one unit or one row more or less is never overlooked', () => {
    const slip = fc.constantFrom({ rows: 1, units: 0n }, { rows: 0, units: 1n });
    fc.assert(
      fc.property(anyShares, fc.nat(), slip, (drawn, at, { rows, units }) => {
        const index = at % drawn.length;
        const slipped = drawn.map((each, i) =>
          i === index ? { ...each, rows: each.rows + rows, units: each.units + units } : each,
        );
        const code = expect.objectContaining({ code: 'TIE_OUT_BROKEN' });
        expect(() => tieOut('b', toRequested(drawn), toShares(slipped))).toThrow(code);
        expect(() => tieOut('b', toRequested(slipped), toShares(drawn))).toThrow(code);
      }),
    );
  });
});
