import { describe, expect, it } from '@jest/globals';
import { groupedAmount, moneyList, moneyText } from '../../../src/domain/text/money-text.ts';

describe('an amount for people', () => {
  it.each([
    ['0', '0'],
    ['999', '999'],
    ['1000', '1,000'],
    ['-2712.75', '-2,712.75'],
    ['1234567.123456789', '1,234,567.123456789'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['1000 or so', '1000 or so'],
    ['', ''],
    ['1'.repeat(49), '1'.repeat(49)],
  ])('%s is written %s', (amount, text) => expect(groupedAmount(amount)).toBe(text));

  it('has its currency behind it', () => {
    expect(moneyText('1234.50', 'USDT_TRC20')).toBe('1,234.50 USDT_TRC20');
    const totals = [
      { currency: 'USDT_TRC20', total: '1000' },
      { currency: 'BTC', total: '7' },
    ];
    expect(moneyList(totals)).toBe('1,000 USDT_TRC20, 7 BTC');
  });
});
