import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  factsOfLosses,
  type Losses,
  lossesOf,
  lossesOfFacts,
  readStopLossRule,
  stopLossReason,
} from '../../../src/domain/holds/stop-loss.ts';
import type { Share } from '../../../src/domain/report/totals.ts';

const share = (outcome: Share['outcome'], rows: number, amount: string): Share => ({
  currency: 'TRX',
  outcome,
  rows,
  amount,
});

const losses = (settledRows: number, lostRows: number, lost = '0'): Losses => ({
  settledRows,
  lostRows,
  lost: new Map([['TRX', lost]]),
});

describe('the losses of a batch', () => {
  it('are its failed rows and those of which nobody knows; what is under way or was not sent is none', () => {
    const shares = [
      share('PAID', 90, '900'),
      share('FAILED', 3, '30.5'),
      share('UNKNOWN', 1, '10'),
      share('NOT_SENT', 5, '50'),
      share('IN_FLIGHT', 7, '70'),
    ];
    expect(lossesOf(shares)).toEqual(losses(94, 4, '40.5'));
  });

  it('are the same after a way through the facts of a hold', () => {
    const some = lossesOf([share('FAILED', 2, '0.1'), share('PAID', 1, '1')]);
    expect(lossesOfFacts(factsOfLosses(some))).toEqual(some);
  });
});

describe('failures stop a batch', () => {
  it.each<{ rules: string[]; now: Losses; stops: boolean; when: string }>`
    rules                | now                     | stops    | when
    ${[]}                | ${losses(2, 2, '9')}    | ${false} | ${'there is no rule'}
    ${['5%']}            | ${losses(100, 5, '9')}  | ${false} | ${'the share is just reached'}
    ${['5%']}            | ${losses(100, 6, '9')}  | ${true}  | ${'the share is passed'}
    ${['0%']}            | ${losses(1000, 1, '9')} | ${true}  | ${'none may fail and one did'}
    ${['0.1%']}          | ${losses(1000, 1, '9')} | ${false} | ${'one in a thousand may'}
    ${['0.0999%']}       | ${losses(1000, 1, '9')} | ${true}  | ${'not quite one in a thousand may'}
    ${['10:TRX']}        | ${losses(9, 1, '10')}   | ${false} | ${'the sum is just reached'}
    ${['10:TRX']}        | ${losses(9, 1, '10.1')} | ${true}  | ${'the sum is passed'}
    ${['10:BTC']}        | ${losses(9, 1, '99')}   | ${false} | ${'the sum is of another currency'}
    ${['50%', '1:TRX']}  | ${losses(9, 1, '2')}    | ${true}  | ${'one of the rules is broken'}
    ${['0%', '0.5:TRX']} | ${losses(9, 0)}         | ${false} | ${'nothing failed'}
  `('when $when: $stops', ({ rules, now, stops }) => {
    expect(stopLossReason(rules, now, undefined) !== undefined).toBe(stops);
  });

  it('only for what came after the losses that were accepted', () => {
    const accepted = losses(100, 10, '10');
    expect(stopLossReason(['5%'], losses(200, 15, '15'), accepted)).toBeUndefined();
    expect(stopLossReason(['5%'], losses(200, 16, '16'), accepted)).toBe(
      '6 of 100 settled rows failed since somebody said to go on, which is more than 5%',
    );
    expect(stopLossReason(['5:TRX'], losses(200, 11, '15'), accepted)).toBeUndefined();
    expect(stopLossReason(['5:TRX'], losses(200, 11, '15.5'), accepted)).toContain('5.5 TRX');
  });

  it('by a share that is exact, however the numbers are', () => {
    const rows = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(rows, rows, fc.integer({ min: 0, max: 100 }), (lost, others, percent) => {
        const settled = lost + others;
        const stops = stopLossReason([`${percent}%`], losses(settled, lost), undefined);
        expect(stops !== undefined).toBe(lost * 100 > percent * settled);
      }),
    );
  });
});

describe('a rule', () => {
  it.each([
    ['5%', '5%'],
    ['0.50%', '0.5%'],
    ['100%', '100%'],
    ['1000.10:USDT_TRC20', '1000.1:USDT_TRC20'],
  ])('%s is read as %s', (text, rule) => {
    expect(readStopLossRule(text)).toBe(rule);
  });

  it.each([
    '',
    '%',
    '5',
    '05%',
    '1e2%',
    '-5%',
    '101%',
    '100.1%',
    '5%%',
    '1000%%',
    '5:',
    ':TRX',
    '5:TRX:6',
    '5:t rx',
    '١%',
  ])('"%s" is refused', (text) => {
    expect(readStopLossRule(text)).toBeUndefined();
  });
});
