import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  factsOfLosses,
  hasRoom,
  type Losses,
  lossesOf,
  lossesOfFacts,
  type Parcel,
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
  it('are its FAILED and UNKNOWN rows, and none that is under way or was not sent', () => {
    const shares = [
      share('PAID', 90, '900'),
      share('FAILED', 3, '30.5'),
      share('UNKNOWN', 1, '10'),
      share('NOT_SENT', 5, '50'),
      share('IN_FLIGHT', 7, '70'),
    ];
    expect(lossesOf(shares)).toEqual(losses(94, 4, '40.5'));
  });

  it('are the same after a round trip through the facts of a hold', () => {
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

  it('only for losses after those that were accepted', () => {
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

const parcel = (rows: number, amount: string, currency = 'TRX'): Parcel => ({
  rows,
  currency,
  amount,
});

describe('another chunk is sent', () => {
  const OTHER = parcel(9, '9', 'BTC');

  it.each<{
    rules: string[];
    lost: Losses;
    open: Parcel[];
    next: Parcel;
    goes: boolean;
    when: string;
  }>`
    rules               | lost                  | open                                       | next                | goes     | when
    ${[]}               | ${losses(9, 9, '9')}  | ${[parcel(99, '99')]}                      | ${parcel(99, '9')}  | ${true}  | ${'there is no rule'}
    ${['10:TRX']}       | ${losses(0, 0)}       | ${[parcel(4, '4')]}                        | ${parcel(6, '6')}   | ${true}  | ${'all that is under way may fail'}
    ${['10:TRX']}       | ${losses(0, 0)}       | ${[parcel(4, '4')]}                        | ${parcel(7, '6.1')} | ${false} | ${'it would be more'}
    ${['10:TRX']}       | ${losses(9, 1, '1')}  | ${[parcel(4, '4')]}                        | ${parcel(6, '6')}   | ${false} | ${'it would be more with what failed'}
    ${['10:TRX']}       | ${losses(0, 0)}       | ${[]}                                      | ${parcel(9, '99')}  | ${true}  | ${'it is more by itself, and alone'}
    ${['10:TRX']}       | ${losses(0, 0)}       | ${[OTHER]}                                 | ${parcel(9, '99')}  | ${true}  | ${'only another currency is under way'}
    ${['10:TRX']}       | ${losses(9, 1, '11')} | ${[]}                                      | ${parcel(1, '1')}   | ${false} | ${'too much failed already, though it would be alone'}
    ${['10:TRX']}       | ${losses(9, 1, '99')} | ${[parcel(9, '99')]}                       | ${OTHER}            | ${true}  | ${'no rule speaks of its currency'}
    ${['10%']}          | ${losses(0, 0)}       | ${[parcel(4, '4'), parcel(4, '4', 'BTC')]} | ${parcel(2, '2')}   | ${true}  | ${'a tenth of all rows may fail'}
    ${['10%']}          | ${losses(0, 0)}       | ${[parcel(4, '4'), parcel(4, '4', 'BTC')]} | ${parcel(3, '3')}   | ${false} | ${'it would be more than a tenth'}
    ${['10%']}          | ${losses(50, 10)}     | ${[]}                                      | ${parcel(5, '5')}   | ${true}  | ${'it is alone and no more than a tenth failed'}
    ${['10%']}          | ${losses(50, 11)}     | ${[]}                                      | ${parcel(1, '1')}   | ${false} | ${'more than a tenth of all rows failed'}
    ${['10%', '3:TRX']} | ${losses(0, 0)}       | ${[parcel(1, '3')]}                        | ${parcel(1, '1')}   | ${false} | ${'one of the rules has no room'}
  `('when $when: $goes', ({ rules, lost, open, next, goes }) => {
    const risk = { losses: lost, accepted: undefined, underWay: open, batchRows: 100 };
    expect(hasRoom(rules, risk, next)).toBe(goes);
  });

  it('is counted from the losses that a person has accepted', () => {
    const risk = { losses: losses(50, 11, '11'), underWay: [parcel(1, '1')], batchRows: 100 };
    for (const rules of [['10%'], ['10:TRX']]) {
      expect(hasRoom(rules, { ...risk, accepted: undefined }, parcel(1, '1'))).toBe(false);
      expect(hasRoom(rules, { ...risk, accepted: losses(50, 11, '11') }, parcel(1, '1'))).toBe(
        true,
      );
    }
  });

  it('never so that more than the limit could fail, but for one chunk, in any order of sends and ends', () => {
    const step = fc.record({
      isSend: fc.boolean(),
      amount: fc.integer({ min: 1, max: 8 }),
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let lost = 0;
        const open: number[] = [];
        for (const { isSend, amount, fails } of steps) {
          if (!isSend) {
            const ended = open.shift() ?? 0;
            if (fails) lost += ended;
            continue;
          }
          const risk = {
            losses: losses(100, lost, String(lost)),
            underWay: open.map((each) => parcel(each, String(each))),
            accepted: undefined,
            batchRows: 100,
          };
          if (!hasRoom(['10:TRX', '10%'], risk, parcel(amount, String(amount)))) continue;
          open.push(amount);
          const worst = lost + open.reduce((sum, each) => sum + each, 0);
          expect(worst <= 10 || open.length === 1).toBe(true);
        }
      }),
    );
  });
});
