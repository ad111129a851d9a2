import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  currencyInfo,
  isCurrency,
  isFullyKnown,
} from '../../../src/domain/currencies/currency-info.ts';
import { anyText } from '../../support/any-text.ts';

describe('a currency', () => {
  it.each<{ currency: string; ticker: string; network: string; decimals: number }>`
    currency          | ticker    | network          | decimals
    ${'USDT_TRC20'}   | ${'USDT'} | ${'tron'}        | ${6}
    ${'USDT_TRX'}     | ${'USDT'} | ${'tron'}        | ${6}
    ${'USDT_ERC20'}   | ${'USDT'} | ${'ethereum'}    | ${6}
    ${'USDT_ETH'}     | ${'USDT'} | ${'ethereum'}    | ${6}
    ${'USDT_BEP20'}   | ${'USDT'} | ${'bsc'}         | ${18}
    ${'USDT_BSC'}     | ${'USDT'} | ${'bsc'}         | ${18}
    ${'USDC_POLYGON'} | ${'USDC'} | ${'polygon'}     | ${6}
    ${'USDC_MATIC'}   | ${'USDC'} | ${'polygon'}     | ${6}
    ${'USDC_ARB'}     | ${'USDC'} | ${'arbitrum'}    | ${6}
    ${'USDC_OP'}      | ${'USDC'} | ${'optimism'}    | ${6}
    ${'ETH_BASE'}     | ${'ETH'}  | ${'base'}        | ${18}
    ${'USDT_AVAXC'}   | ${'USDT'} | ${'avalanche'}   | ${6}
    ${'USDC_SOL'}     | ${'USDC'} | ${'solana'}      | ${6}
    ${'USDT_TON'}     | ${'USDT'} | ${'ton'}         | ${6}
    ${'BTC'}          | ${'BTC'}  | ${'bitcoin'}     | ${8}
    ${'BTC_BTC'}      | ${'BTC'}  | ${'bitcoin'}     | ${8}
    ${'BTC_BSC'}      | ${'BTC'}  | ${'bsc'}         | ${18}
    ${'LTC'}          | ${'LTC'}  | ${'litecoin'}    | ${8}
    ${'DOGE'}         | ${'DOGE'} | ${'dogecoin'}    | ${8}
    ${'BCH'}          | ${'BCH'}  | ${'bitcoinCash'} | ${8}
    ${'XRP'}          | ${'XRP'}  | ${'xrp'}         | ${6}
    ${'ETH'}          | ${'ETH'}  | ${'ethereum'}    | ${18}
    ${'TRX'}          | ${'TRX'}  | ${'tron'}        | ${6}
    ${'SOL'}          | ${'SOL'}  | ${'solana'}      | ${9}
    ${'TON'}          | ${'TON'}  | ${'ton'}         | ${9}
  `('$currency is $ticker on $network with $decimals decimals', (row) => {
    const { currency, ticker, network, decimals } = row;
    const info = currencyInfo(currency);
    expect(info).toEqual({ ticker, network, decimals });
    expect(isFullyKnown(info)).toBe(true);
  });

  it.each<{ currency: string; expected: object }>`
    currency         | expected
    ${'USDT'}        | ${{ ticker: 'USDT' }}
    ${'EUR'}         | ${{ ticker: 'EUR' }}
    ${'USDT_XYZ'}    | ${{ ticker: 'USDT' }}
    ${'FOO_TRC20'}   | ${{ ticker: 'FOO', network: 'tron' }}
    ${'XRP_TRC20'}   | ${{ ticker: 'XRP', network: 'tron' }}
    ${'CONSTRUCTOR'} | ${{ ticker: 'CONSTRUCTOR' }}
  `('$currency is not wholly known', ({ currency, expected }) => {
    const info = currencyInfo(currency);
    expect(info).toEqual(expected);
    expect(isFullyKnown(info)).toBe(false);
  });

  it.each(['A', 'USDT', 'USDT_TRC20', '1INCH', `${'A'.repeat(20)}_${'9'.repeat(20)}`])(
    'may be written "%s"',
    (text) => {
      expect(isCurrency(text)).toBe(true);
    },
  );

  it.each([
    '',
    '_',
    'usdt',
    'USDT_',
    '_TRC20',
    'USDT_TRC20_X',
    'USDT TRC20',
    'USDT-TRC20',
    'USDT_TRC20\n',
    '\u0410BC',
    'A'.repeat(21),
    `A_${'B'.repeat(21)}`,
  ])('may not be written "%s"', (text) => {
    expect(isCurrency(text)).toBe(false);
  });

  it('always has a ticker, for any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(currencyInfo(text).ticker).toEqual(expect.any(String));
      }),
    );
  });
});
