import { describe, expect, it } from '@jest/globals';
import { isSameCurrency, mainCurrency } from '../../../src/domain/currencies/same-currency.ts';
import { currenciesOfRules, otherNames } from '../../../src/domain/plan/currency-names.ts';
import type { HouseRules } from '../../../src/domain/plan/rules.ts';
import { POLICY, RULES } from './support/house-rules.ts';

describe('the one name of a currency', () => {
  it.each([
    ['USDT_TRC20', 'USDT_TRC20'],
    ['USDT_TRX', 'USDT_TRC20'],
    ['USDT_TRON', 'USDT_TRC20'],
    ['USDC_ETHEREUM', 'USDC_ERC20'],
    ['USDT_BSC', 'USDT_BEP20'],
    ['TRX', 'TRX'],
    ['TRX_TRC20', 'TRX'],
    ['ETH_ARBITRUM', 'ETH_ARB'],
    ['ETH_ERC20', 'ETH'],
    ['WHAT_TRON', 'WHAT_TRC20'],
    ['USDT_NOWHERE', 'USDT_NOWHERE'],
    ['EUR', 'EUR'],
    ['no currency', 'no currency'],
  ])('of %s is %s', (currency, main) => {
    expect(mainCurrency(currency)).toBe(main);
    expect(mainCurrency(main)).toBe(main);
  });

  it('is another one on another network, and for another ticker', () => {
    expect(isSameCurrency('USDT_TRC20', 'USDT_ERC20')).toBe(false);
    expect(isSameCurrency('USDT_TRC20', 'USDC_TRON')).toBe(false);
    expect(isSameCurrency('USDT_NOWHERE', 'USDT_ELSEWHERE')).toBe(false);
  });
});

describe('a currency that is written in two ways', () => {
  const line = (currency: string, rows = 1) => ({ currency, rows });
  const detailsOf = (
    currencies: Parameters<typeof otherNames>[0],
    rules: Partial<HouseRules> = {},
    stopLoss: readonly string[] = [],
  ): string[] =>
    otherNames(currencies, currenciesOfRules({ ...RULES, ...rules }, stopLoss)).flatMap(
      ({ count, examples }) => [String(count), ...examples.map(({ detail }) => detail)],
    );
  const money = { currency: 'USDT_TRC20', amount: '5' };

  it('is found in the file itself, under each of its names', () => {
    expect(detailsOf([line('USDT_TRC20', 4), line('USDT_TRX', 2), line('BTC')])).toEqual([
      '6',
      'USDT_TRC20 is USDT_TRX, as the file names it',
      'USDT_TRX is USDT_TRC20, as the file names it',
    ]);
  });

  it.each<[string, Partial<HouseRules>, string[]]>([
    ['limits.row', { limits: { ...RULES.limits, row: [money] } }, []],
    ['limits.batch', { limits: { ...RULES.limits, batch: [money] } }, []],
    ['limits.day', { limits: { ...RULES.limits, day: [money] } }, []],
    ['limits.payee', { limits: { ...RULES.limits, payee: [money] } }, []],
    ['fees.total_max', { fees: { ...RULES.fees, totalMax: [money] } }, []],
    ['the approval policy', { approval: POLICY }, []],
    ['the stop loss', {}, ['5%', '9:USDT_TRC20']],
  ])('is found in %s', (where, rules, stopLoss) => {
    expect(detailsOf([line('USDT_TRON', 3)], rules, stopLoss)).toEqual([
      '3',
      `USDT_TRON is USDT_TRC20, as ${where} names it`,
    ]);
    expect(detailsOf([line('USDT_TRC20')], rules, stopLoss)).toEqual([]);
  });

  it('does not exist where all rows write it alike', () => {
    expect(detailsOf([line('USDT_TRON'), line('USDT_ERC20'), line('TRX')])).toEqual([]);
  });
});
