import { describe, expect, it } from '@jest/globals';
import {
  comparedName,
  identitiesOf,
  identityHash,
  payeeIdentityHash,
} from '../../../src/domain/payees/identity.ts';
import { printSpaceOf } from '../../../src/domain/plan/row-print.ts';

describe('names are the same', () => {
  it.each([
    ['Ann Lee', 'ANN LEE'],
    ['Ann Lee', ' ann\tlee '],
    ['Zoë Müller', 'ZOE MULLER'],
    ['Zoe\u0308', 'Zoë'],
    ['Groß', 'GROSS'],
    ['Ａｎｎ', 'Ann'],
  ])('as %s and %s', (one, other) => {
    expect(comparedName(one)).toBe(comparedName(other));
  });

  it.each([
    ['Ann Lee', 'Lee Ann'],
    ['Ann', 'Anna'],
    ['Ann', 'Аnn'],
  ])('not as %s and %s', (one, other) => {
    expect(comparedName(one)).not.toBe(comparedName(other));
  });
});

describe('the hash of an identity', () => {
  const seed = printSpaceOf('USDT_ERC20').addressSeed;
  const row = { row: 2, address: '', amount: '', comment: '', reference: '', name: '' };

  it('is the same in all currencies of a family of networks, and for its payees', () => {
    const [one, other, tron] = ['USDT_ERC20', 'USDC_BEP20', 'USDT_TRC20'].map((currency) =>
      identityHash('name', 'Ann', printSpaceOf(currency).addressSeed),
    );
    expect(one).toEqual(other);
    expect(one).not.toEqual(tron);
    expect(payeeIdentityHash('name', 'ann', 'evm')).toEqual(one);
    const unknown = printSpaceOf('FOO_BAR').addressSeed;
    expect(payeeIdentityHash('name', 'ann', 'FOO_BAR')).toEqual(
      identityHash('name', 'Ann', unknown),
    );
  });

  it('compares references letter by letter, and never with names', () => {
    const hashes = [
      identityHash('reference', 'EMP-4', seed),
      identityHash('reference', 'emp-4', seed),
      identityHash('name', 'EMP-4', seed),
    ].map((hash) => JSON.stringify(hash));
    expect(new Set(hashes).size).toBe(3);
  });

  it('is 0, 0 for an empty text alone, and rows without any have no words', () => {
    expect(identityHash('name', '', seed)).toEqual({ low: 0, high: 0 });
    const space = printSpaceOf('USDT_ERC20');
    expect(identitiesOf(space, [row, row])).toHaveLength(0);
    const { low, high } = identityHash('name', 'Ann', seed);
    expect([...identitiesOf(space, [row, { ...row, name: 'Ann' }])]).toEqual([
      ...[0, 0, 0, 0],
      ...[0, 0, low, high],
    ]);
  });
});
