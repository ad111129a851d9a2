import { describe, expect, it } from '@jest/globals';
import { shortfallsOf } from '../../../src/domain/funds/decide.ts';

const needs = [{ currency: 'TRX', amount: '100', fee: '1.5' }];

describe('the balance check', () => {
  it.each<{ balance: string; held: string; short: string | undefined }>`
    balance     | held    | short
    ${'101.5'}  | ${'0'}  | ${undefined}
    ${'101.49'} | ${'0'}  | ${'0.01'}
    ${'151.5'}  | ${'50'} | ${undefined}
    ${'151.5'}  | ${'51'} | ${'1'}
    ${'0'}      | ${'0'}  | ${'101.5'}
    ${'-1'}     | ${'0'}  | ${'102.5'}
  `('holds $balance less $held against 101.5: short of $short', ({ balance, held, short }) => {
    const found = shortfallsOf(needs, new Map([['TRX', balance]]), new Map([['TRX', held]]));
    expect(found[0]?.short).toBe(short);
  });

  it('takes a currency that the account does not hold for zero', () => {
    expect(shortfallsOf(needs, new Map(), new Map())).toEqual([
      { currency: 'TRX', needed: '101.5', available: '0', reserved: '0', short: '101.5' },
    ]);
  });

  it('does not lend one currency to another', () => {
    expect(shortfallsOf(needs, new Map([['BTC', '1000000']]), new Map())).toHaveLength(1);
  });
});
