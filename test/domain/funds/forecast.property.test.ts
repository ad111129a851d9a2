import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Demand, demandOf, forecast } from '../../../src/domain/funds/forecast.ts';

const NOW_MS = Date.UTC(2026, 10, 25);
const FRIDAY_MS = Date.UTC(2026, 10, 27, 8);

const demand = (name: string, dueAtMs: number | null, amount: string | null): Demand => ({
  name,
  dueAtMs,
  needs: amount === null ? null : [{ currency: 'TRX', amount }],
  estimated: false,
});

const walk = (balance: string, ...demands: Demand[]) =>
  forecast({ nowMs: NOW_MS, balances: new Map([['TRX', balance]]), demands });

describe('a forecast', () => {
  it('says where the account falls short, and by how much', () => {
    const steps = walk(
      '1000',
      demand('payroll', FRIDAY_MS, '1934.5'),
      demand('suppliers', null, '300'),
    );
    expect(steps.map(({ atMs, short }) => [atMs, short])).toEqual([
      [NOW_MS, []],
      [FRIDAY_MS, [{ currency: 'TRX', amount: '1234.5' }]],
    ]);
  });

  it('takes what is overdue for what is wanted now', () => {
    const [step] = walk('5', demand('late', NOW_MS - 1, '4'), demand('now', null, '1'));
    expect(step).toMatchObject({
      atMs: NOW_MS,
      left: [{ currency: 'TRX', amount: '0' }],
      short: [],
    });
  });

  it('rests on estimates from the first one on', () => {
    const steps = walk(
      '5',
      demand('sure', NOW_MS, '1'),
      demand('unknown', NOW_MS + 1, null),
      demand('later', NOW_MS + 2, '1'),
    );
    expect(steps.map(({ estimated }) => estimated)).toEqual([false, true, true]);
  });

  it('wants a batch that has asked now, whatever its due time was', () => {
    const claim = {
      ...{ batchId: 'b', seq: 1, dueAtMs: FRIDAY_MS, waitingSinceMs: null, grantedAtMs: null },
      fees: [{ currency: 'TRX', amount: '0.5' }],
      open: [{ chunk: 0, currency: 'TRX', total: '2', sending: false }],
    };
    const needs = [{ currency: 'TRX', amount: '2.5' }];
    expect(demandOf({ ...claim, askedAtMs: null })).toMatchObject({ dueAtMs: FRIDAY_MS, needs });
    expect(demandOf({ ...claim, askedAtMs: 5 })).toMatchObject({ dueAtMs: null, needs });
  });

  it('is the balance less all that is due by then, at each due time, each once and in order', () => {
    const cents = (text: string): bigint => BigInt(text);
    const some = fc.record({
      dueAtMs: fc.option(fc.integer({ min: NOW_MS - 2, max: NOW_MS + 3 })),
      amount: fc.bigInt({ min: 0n, max: 100n }),
      currency: fc.constantFrom('TRX', 'BTC'),
    });
    fc.assert(
      fc.property(fc.array(some), fc.bigInt({ min: -50n, max: 300n }), (lines, balance) => {
        const demands = lines.map(({ dueAtMs, amount, currency }, i) => ({
          ...{ name: `b${i}`, dueAtMs, estimated: false },
          needs: [{ currency, amount: String(amount) }],
        }));
        const balances = new Map([['TRX', String(balance)]]);
        const steps = forecast({ nowMs: NOW_MS, balances, demands });
        const times = steps.map(({ atMs }) => atMs);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        expect(steps.flatMap((step) => step.demands)).toHaveLength(lines.length);
        for (const { atMs, left, short } of steps) {
          for (const { currency, amount } of left) {
            const due = lines
              .filter((line) => line.currency === currency && (line.dueAtMs ?? NOW_MS) <= atMs)
              .reduce((sum, line) => sum + line.amount, 0n);
            const expected = (currency === 'TRX' ? balance : 0n) - due;
            expect(cents(amount)).toBe(expected);
            const lack = short.find((line) => line.currency === currency);
            expect(lack?.amount).toBe(expected < 0n ? String(-expected) : undefined);
          }
        }
      }),
    );
  });
});
