import { expect, it } from '@jest/globals';
import { knownCurrencies, withAlternatives } from '../../../src/domain/currencies/alternatives.ts';
import { currencyInfo, isFullyKnown } from '../../../src/domain/currencies/currency-info.ts';

it.each<{ currency: string; alternatives: string[] | undefined }>`
  currency        | alternatives
  ${'USDT'}       | ${['USDT_TRC20', 'USDT_ERC20', 'USDT_BEP20']}
  ${'USDT_TRC'}   | ${['USDT_TRC20', 'USDT_ERC20', 'USDT_BEP20']}
  ${'USDT_SOLA'}  | ${['USDT_SOL', 'USDT_TRC20', 'USDT_ERC20']}
  ${'ETH_X'}      | ${['ETH', 'ETH_BEP20', 'ETH_POLYGON']}
  ${'USDT_TRC20'} | ${undefined}
  ${'BTC'}        | ${undefined}
  ${'EUR'}        | ${undefined}
  ${'usdt'}       | ${undefined}
`(
  'the known currencies that $currency may mean are $alternatives',
  ({ currency, alternatives }) => {
    expect(withAlternatives(currency, currencyInfo(currency)).alternatives).toEqual(alternatives);
  },
);

it('every known currency is named once, can be checked, and the usual networks come first', () => {
  const all = knownCurrencies();
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((currency) => !isFullyKnown(currencyInfo(currency)))).toEqual([]);
  expect(all.filter((currency) => currency.startsWith('USDT')).slice(0, 3)).toEqual([
    'USDT_TRC20',
    'USDT_ERC20',
    'USDT_BEP20',
  ]);
  expect(all).toContain('BTC');
});
