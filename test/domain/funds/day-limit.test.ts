import { describe, expect, it } from '@jest/globals';
import { dayOf, excessesOf } from '../../../src/domain/funds/day-limit.ts';

const TRX = (amount: string) => [{ currency: 'TRX', amount }];
const DAY = '2026-11-27';

const excess = (own: string, granted: string, accepted = '0') =>
  excessesOf({
    day: DAY,
    limits: TRX('100'),
    own: TRX(own),
    granted: TRX(granted),
    accepted: [{ day: DAY, currency: 'TRX', limit: '100', granted: '0', total: accepted }],
  });

describe('the limit of a day', () => {
  it.each`
    own         | granted | total
    ${'100'}    | ${'0'}  | ${undefined}
    ${'60'}     | ${'40'} | ${undefined}
    ${'60.001'} | ${'40'} | ${'100.001'}
    ${'101'}    | ${'0'}  | ${'101'}
  `('of 100 with $granted granted and $own wanted is passed with $total', (line) => {
    const { own, granted, total } = line as { own: string; granted: string; total?: string };
    expect(excess(own, granted)[0]?.total).toBe(total);
  });

  it('is not there for a currency that has none, and one currency does not count for another', () => {
    const own = [{ currency: 'BTC', amount: '1000' }];
    expect(
      excessesOf({ day: DAY, limits: TRX('1'), own, granted: TRX('5'), accepted: [] }),
    ).toEqual([]);
  });

  it('is the total that a person has accepted', () => {
    expect(excess('60', '60', '120')).toEqual([]);
    expect(excess('60', '61', '120')).toHaveLength(1);
  });

  it('of another day is not the total that a person has accepted', () => {
    const told = { day: '2026-11-26', currency: 'TRX', limit: '100', granted: '0', total: '500' };
    const given = { day: DAY, limits: TRX('100'), own: TRX('200'), granted: [], accepted: [told] };
    expect(excessesOf(given)).toHaveLength(1);
  });
});

describe('a day', () => {
  it.each`
    at                             | day             | start                         | end
    ${'2026-11-27T00:00:00.000Z'}  | ${'2026-11-27'} | ${'2026-11-27T00:00:00.000Z'} | ${'2026-11-28T00:00:00.000Z'}
    ${'2026-11-27T23:59:59.999Z'}  | ${'2026-11-27'} | ${'2026-11-27T00:00:00.000Z'} | ${'2026-11-28T00:00:00.000Z'}
    ${'2026-12-31T23:30:00-01:00'} | ${'2027-01-01'} | ${'2027-01-01T00:00:00.000Z'} | ${'2027-01-02T00:00:00.000Z'}
  `('of $at is $day in UTC', ({ at, day, start, end }) => {
    const [startMs, endMs] = [Date.parse(String(start)), Date.parse(String(end))];
    expect(dayOf(Date.parse(String(at)))).toEqual({ day, startMs, endMs });
  });
});
