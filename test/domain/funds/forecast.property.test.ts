import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FundsClaim } from '../../../src/domain/funds/claim.ts';
import { judgeFunds } from '../../../src/domain/funds/decide-funds.ts';
import { type FundsDemand, forecast, type Wants } from '../../../src/domain/funds/forecast.ts';

const NOW_MS = Date.UTC(2026, 10, 25);
const FRIDAY_MS = Date.UTC(2026, 10, 27, 8);

/** A batch that wants so much TRX, in the order of asking, which has not asked for it yet. */
const claim = (
  batchId: string,
  seq: number,
  total: string,
  more: Partial<FundsClaim> = {},
): FundsClaim => ({
  batchId,
  seq,
  beforeScheduled: false,
  dueAtMs: null,
  askedAtMs: null,
  waitingSinceMs: null,
  grantedAtMs: null,
  fees: [],
  open: [{ chunk: 0, currency: 'TRX', total, sending: false }],
  ...more,
});

const FRIDAY = { dueAtMs: FRIDAY_MS };
const WAITING = { askedAtMs: NOW_MS, waitingSinceMs: NOW_MS };
const PAYING = { askedAtMs: NOW_MS, grantedAtMs: NOW_MS };

const run = (name: string, dueAtMs: number | null, amount: string | null): FundsDemand => ({
  name,
  dueAtMs,
  needs: amount === null ? null : [{ currency: 'TRX', amount }],
  estimated: true,
});

const walk = (balance: string, { claims = [], runs = [] }: Partial<Wants>) =>
  forecast({ nowMs: NOW_MS, balances: new Map([['TRX', balance]]), claims, runs });

/** What is short at each time, in TRX. */
const shortOf = (steps: ReturnType<typeof walk>) =>
  steps.map(({ atMs, short }) => [atMs, short[0]?.amount ?? '0']);

describe('a forecast', () => {
  it('has each shortage with its time and amount', () => {
    const payroll = claim('payroll', 2, '1934.5', FRIDAY);
    const steps = walk('1000', { claims: [claim('suppliers', 1, '300'), payroll] });
    expect(steps.map(({ atMs, short }) => [atMs, short])).toEqual([
      [NOW_MS, []],
      [FRIDAY_MS, [{ currency: 'TRX', amount: '1234.5' }]],
    ]);
  });

  it('keeps the money of a scheduled batch from a later one, as the funds check does', () => {
    const steps = walk('100', {
      claims: [claim('payroll', 1, '90', FRIDAY), claim('late', 2, '60', WAITING)],
    });
    expect(shortOf(steps)).toEqual([
      [NOW_MS, '50'],
      [FRIDAY_MS, '50'],
    ]);
    expect(steps.map(({ kept }) => kept)).toEqual([
      [{ name: 'payroll', currency: 'TRX', amount: '90' }],
      [],
    ]);
  });

  it.each<[string, FundsClaim, string]>([
    ['came first', claim('own', 1, '60', WAITING), '0'],
    [
      'goes before scheduled ones',
      claim('own', 3, '60', { ...WAITING, beforeScheduled: true }),
      '0',
    ],
    ['pays already', claim('own', 3, '60', PAYING), '0'],
    ['was let go once, and waits again', claim('own', 3, '60', { ...PAYING, ...WAITING }), '50'],
  ])('beside a scheduled batch finds the expected amount for one that %s', (_what, own, short) => {
    const [now] = walk('100', { claims: [claim('payroll', 2, '90', FRIDAY), own] });
    expect(now?.short[0]?.amount ?? '0').toBe(short);
  });

  it('keeps no currency that the due batch does not need', () => {
    const coins = [{ chunk: 0, currency: 'BTC', total: '5', sending: false }];
    const claims = [claim('payroll', 1, '', { ...FRIDAY, open: coins }), claim('b', 2, '1')];
    expect(walk('1', { claims })[0]).toMatchObject({
      kept: [],
      left: [{ currency: 'TRX', amount: '0' }],
    });
  });

  it('places a run of a schedule at its due time, after all batches of the store', () => {
    const claims = [claim('payroll', 1, '90', { dueAtMs: FRIDAY_MS + 1 })];
    const runs = [run('rent', FRIDAY_MS, '20'), run('rent', FRIDAY_MS + 2, '20')];
    expect(shortOf(walk('100', { claims, runs }))).toEqual([
      [FRIDAY_MS, '10'],
      [FRIDAY_MS + 1, '10'],
      [FRIDAY_MS + 2, '30'],
    ]);
  });

  it('counts an overdue amount as needed now', () => {
    const claims = [claim('late', 1, '4', { dueAtMs: NOW_MS - 1 }), claim('now', 2, '1')];
    expect(walk('5', { claims })).toMatchObject([
      { atMs: NOW_MS, left: [{ currency: 'TRX', amount: '0' }], short: [] },
    ]);
  });

  it('rests on estimates from the first one on', () => {
    const runs = [run('unknown', NOW_MS + 1, null)];
    const claims = [claim('sure', 1, '1'), claim('later', 2, '1', { dueAtMs: NOW_MS + 2 })];
    expect(walk('5', { claims, runs }).map(({ estimated }) => estimated)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('counts a batch that waits as needed now, with any due time, and with its fees', () => {
    const fees = [{ currency: 'TRX', amount: '0.5' }];
    const [friday] = walk('0', { claims: [claim('b', 1, '2', { ...FRIDAY, fees })] });
    const needs = [{ currency: 'TRX', amount: '2.5' }];
    expect(friday).toMatchObject({ atMs: FRIDAY_MS, demands: [{ needs }] });
    const [now] = walk('0', { claims: [claim('b', 1, '2', { ...FRIDAY, askedAtMs: 5, fees })] });
    expect(now).toMatchObject({ atMs: NOW_MS, demands: [{ needs }] });
  });
});

const CURRENCIES = ['TRX', 'BTC'] as const;

/** Claims in the order of asking, at any stage, each of one or both currencies. */
const claimList: fc.Arbitrary<FundsClaim[]> = fc
  .array(
    fc.record({
      stage: fc.constantFrom({}, WAITING, PAYING),
      dueAtMs: fc.option(fc.integer({ min: NOW_MS - 2, max: NOW_MS + 3 })),
      beforeScheduled: fc.boolean(),
      wants: fc.uniqueArray(
        fc.record({
          currency: fc.constantFrom(...CURRENCIES),
          total: fc.integer({ min: 1, max: 50 }),
        }),
        { selector: ({ currency }) => currency, minLength: 1 },
      ),
    }),
    { maxLength: 6 },
  )
  .map((lines) =>
    lines.map(({ stage, dueAtMs, beforeScheduled, wants }, i) =>
      claim(`b${i}`, i, '', {
        ...stage,
        dueAtMs,
        beforeScheduled,
        open: wants.map(({ currency, total }, chunk) => ({
          chunk,
          currency,
          total: String(total),
          sending: false,
        })),
      }),
    ),
  );

/** Asks for every batch that is due, again and again, until nobody more is let go; answers with those who wait. */
function whoWaits(
  claims: readonly FundsClaim[],
  balances: Wants['balances'],
  atMs: number,
): string[] {
  const isDue = ({ askedAtMs, dueAtMs }: FundsClaim) =>
    askedAtMs !== null || (dueAtMs ?? 0) <= atMs;
  const asking = claims.map((one) =>
    one.grantedAtMs === null && isDue(one) ? { ...one, ...WAITING } : one,
  );
  const next = asking.findIndex(
    (own) =>
      own.waitingSinceMs !== null &&
      judgeFunds({ own, looks: { before: asking, after: asking }, balances, nowMs: atMs }).kind ===
        'enough',
  );
  const granted = asking.map((one, i) =>
    i === next ? { ...one, ...PAYING, waitingSinceMs: null } : one,
  );
  if (next >= 0) return whoWaits(granted, balances, atMs);
  return asking.filter(({ waitingSinceMs }) => waitingSinceMs !== null).map((one) => one.batchId);
}

describe('the shortages of a forecast', () => {
  const balanceList = fc.record({
    TRX: fc.integer({ min: -20, max: 200 }),
    BTC: fc.integer({ min: -20, max: 200 }),
  });
  type Held = Readonly<Record<string, number>>;
  const balancesOf = (held: Held, top: Held = {}) =>
    new Map(
      CURRENCIES.map((currency) => [
        currency,
        String((held[currency] ?? 0) + (top[currency] ?? 0)),
      ]),
    );

  it('are enough to grant every batch that is due by then', () => {
    fc.assert(
      fc.property(claimList, balanceList, (claims, held) => {
        const balances = balancesOf(held);
        for (const { atMs, short } of forecast({ nowMs: NOW_MS, balances, claims, runs: [] })) {
          const top = Object.fromEntries(short.map((line) => [line.currency, Number(line.amount)]));
          expect(whoWaits(claims, balancesOf(held, top), atMs)).toEqual([]);
        }
      }),
    );
  });

  it('are not a unit more than that, for batches that are granted in the order of their claims', () => {
    fc.assert(
      fc.property(claimList, balanceList, (mixed, held) => {
        const claims = mixed.map((one) => ({ ...one, beforeScheduled: false, grantedAtMs: null }));
        const balances = balancesOf(held);
        for (const { atMs, short } of forecast({ nowMs: NOW_MS, balances, claims, runs: [] })) {
          const top = Object.fromEntries(short.map((line) => [line.currency, Number(line.amount)]));
          for (const { currency } of short) {
            const less = { ...top, [currency]: (top[currency] ?? 0) - 1 };
            expect(whoWaits(claims, balancesOf(held, less), atMs)).not.toEqual([]);
          }
        }
      }),
    );
  });

  it('are the amounts below zero at each due time, each once and in order', () => {
    fc.assert(
      fc.property(claimList, balanceList, (claims, held) => {
        const steps = forecast({ nowMs: NOW_MS, balances: balancesOf(held), claims, runs: [] });
        const times = steps.map(({ atMs }) => atMs);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        expect(steps.flatMap((step) => step.demands)).toHaveLength(claims.length);
        for (const { left, short } of steps) {
          const missing = left.filter(({ amount }) => amount.startsWith('-'));
          expect(short).toEqual(missing.map((one) => ({ ...one, amount: one.amount.slice(1) })));
        }
      }),
    );
  });
});
