import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalAmount } from '../../../src/domain/money/amount.ts';
import {
  amountText,
  currencyText,
  groupedAmount,
  moneyList,
  moneyText,
  writtenTotalsText,
} from '../../../src/domain/text/money-text.ts';

describe('an amount in groups of three', () => {
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
});

describe('an amount of a currency', () => {
  it.each([
    ['0', 'USDT_TRC20', '0.00'],
    ['132408.2', 'USDT_TRC20', '132,408.20'],
    ['-867591.8', 'USDT_TRC20', '-867,591.80'],
    ['167.0055', 'USDC_ERC20', '167.0055'],
    ['7', 'BTC', '7.00'],
    ['0.00000001', 'BTC', '0.00000001'],
    ['1000', 'POINTS', '1,000'],
    ['1000 or so', 'BTC', '1000 or so'],
    ['', 'BTC', ''],
  ])('%s of %s is written %s', (amount, currency, text) =>
    expect(amountText(amount, currency)).toBe(text),
  );

  it('loses no digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(0|[1-9]\d{0,29})(\.\d{1,36})?$/), (amount) => {
        const shown = amountText(amount, 'USDT_TRC20').replaceAll(',', '');
        expect(canonicalAmount(shown)).toBe(canonicalAmount(amount));
        expect(shown).toMatch(/\.\d{2,}$/);
      }),
    );
  });
});

describe('a currency for people', () => {
  it.each([
    ['USDT_TRC20', 'USDT (TRC20)'],
    ['BTC', 'BTC'],
    ['made up_x', 'made up_x'],
    ['', ''],
  ])('%s is written %s', (currency, text) => expect(currencyText(currency)).toBe(text));
});

it('money has its currency behind it', () => {
  expect(moneyText('1234.5', 'USDT_TRC20')).toBe('1,234.50 USDT (TRC20)');
  const totals = [
    { currency: 'USDT_TRC20', total: '1000' },
    { currency: 'BTC', total: '7' },
  ];
  expect(moneyList(totals)).toBe('1,000.00 USDT (TRC20), 7.00 BTC');
});

it.each([
  ['8575:USDT_TRC20', '8,575.00 USDT (TRC20)'],
  ['8575:USDT_TRC20,2:BTC', '8,575.00 USDT (TRC20), 2.00 BTC'],
  ['3.5, 0:BTC', '3.5, 0.00 BTC'],
  ['22771.55', '22,771.55'],
  ['none', 'none'],
])('written totals %s are read as %s', (written, read) => {
  expect(writtenTotalsText(written)).toBe(read);
});
