import { expect, it } from '@jest/globals';
import { withAlternatives } from '../../../src/domain/currencies/alternatives.ts';
import { currencyInfo } from '../../../src/domain/currencies/currency-info.ts';

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
