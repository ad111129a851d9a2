import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NetworkFamily } from '../../../src/domain/currencies/network.ts';
import { type Ends, sameEnds, writeEnds } from '../../../src/domain/plan/address-ends.ts';
import {
  createRandom,
  evmAddress,
  segwitAddress,
  tronAddress,
} from '../../support/payout-files.ts';

function endsOf(address: string, family: NetworkFamily | undefined): Ends {
  const words = new Int32Array(4).fill(7);
  writeEnds(words, 1, { address, family });
  expect([words[0], words[3]]).toEqual([7, 7]);
  return { head: words[1] ?? 0, tail: words[2] ?? 0 };
}

const shared = (family: NetworkFamily, a: string, b: string) =>
  sameEnds(endsOf(a, family), endsOf(b, family));

/** A look-alike by which 68 million dollars were lost in 2024, and the address that was meant. */
const MEANT = '0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91';
const POISON = '0xd9A1C3788D81257612E2581A6ea0aDa244853a91';
/** Another one, by which 50 million were lost in 2025. */
const MEANT_2 = '0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5';
const POISON_2 = '0xBaFF2F13638C04B10F8119760B2D2aE86b08f8b5';

describe('two look-alike addresses', () => {
  it.each<[string, NetworkFamily, string, string, number, number]>([
    ['a famous theft', 'evm', MEANT, POISON, 16, 24],
    ['a theft with fewer equal digits', 'evm', MEANT_2, POISON_2, 12, 16],
    ['the same in small letters', 'evm', MEANT.toLowerCase(), POISON, 16, 24],
    ['3 and 4 digits', 'evm', `0xabc1${'0'.repeat(32)}1def`, `0xabc2${'1'.repeat(32)}2def`, 0, 0],
    [
      '3 and 4 digits',
      'evm',
      `0xabc1${'0'.repeat(31)}19def`,
      `0xabc2${'1'.repeat(31)}29def`,
      12,
      16,
    ],
    [
      'TRON',
      'tron',
      'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      'TJRaXXXXXXXXXXXXXXXXXXXXXXXXXXRTv8',
      15,
      20,
    ],
    ['Solana', 'solana', `4fYN${'w'.repeat(36)}PYvA`, `4fYN${'x'.repeat(36)}PYvA`, 20, 20],
    ['segwit', 'bitcoin', `bc1qw508${'d'.repeat(30)}f3t4`, `bc1qw508${'e'.repeat(30)}f3t4`, 20, 20],
    [
      'segwit in capitals',
      'bitcoin',
      `BC1QW508${'D'.repeat(30)}F3T4`,
      `bc1qw508${'e'.repeat(30)}f3t4`,
      20,
      20,
    ],
    [
      'Litecoin segwit',
      'litecoin',
      `ltc1qw508${'d'.repeat(30)}f3t4`,
      `ltc1qw508${'e'.repeat(30)}f3t4`,
      20,
      20,
    ],
    ['TON', 'ton', `EQCD39VS${'a'.repeat(36)}qB2N`, `EQCD39VS${'b'.repeat(36)}qB2N`, 25, 20],
    [
      'both spellings of TON',
      'ton',
      `EQC-39VS${'a'.repeat(35)}_qB2N`,
      `EQC+39VS${'b'.repeat(35)}/qB2N`,
      25,
      25,
    ],
    ['raw TON', 'ton', `0:abcd${'1'.repeat(56)}dcba`, `0:ABCD${'2'.repeat(56)}DCBA`, 16, 16],
    [
      'cashaddr with and without prefix',
      'bitcoinCash',
      `bitcoincash:qpm2qsz${'n'.repeat(31)}6a0t`,
      `qpm2qsz${'h'.repeat(31)}6a0t`,
      25,
      20,
    ],
    [
      'XRP',
      'xrp',
      'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
      'r9cZXXXXXXXXXXXXXXXXXXXXXXXXXXfk59',
      15,
      20,
    ],
  ])('%s', (_what, family, a, b, headBits, tailBits) => {
    const expected = headBits === 0 ? undefined : { headBits, tailBits };
    expect(shared(family, a, b)).toEqual(expected);
    expect(shared(family, b, a)).toEqual(expected);
  });

  it.each<[string, NetworkFamily, string, string]>([
    ['other ends', 'evm', MEANT, MEANT.replace('d9A1', 'e9A1')],
    ['only the beginning', 'evm', MEANT, MEANT.replace('3a91', '3a92')],
    ['only the end', 'evm', MEANT, MEANT.replace('0xd9', '0xdA')],
    [
      'key and script of Bitcoin',
      'bitcoin',
      `1abcd${'e'.repeat(24)}wxyz`,
      `3abcd${'f'.repeat(24)}wxyz`,
    ],
    ['base58 and segwit', 'bitcoin', `1qqqq${'q'.repeat(24)}qqqq`, `bc1qqqqq${'q'.repeat(30)}qqqq`],
  ])('exclude those with %s', (_what, family, a, b) => {
    expect(shared(family, a, b)).toBeUndefined();
  });
});

describe('an address has nothing to compare', () => {
  it.each<[string, NetworkFamily | undefined, string]>([
    ['on an unknown network', undefined, 'cosmos1hsk6jryyqjfhp5dhc55tc9jtckygx0eph6dd02'],
    [
      'in the form that all customers of an exchange share',
      'xrp',
      'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu',
    ],
    ['when it is too short', 'evm', '0xabcdef'],
    ['when it has letters of another alphabet', 'tron', `T0${'O'.repeat(32)}`],
  ])('%s', (_what, family, address) => {
    expect(endsOf(address, family)).toEqual({ head: 0, tail: 0 });
    expect(sameEnds(endsOf(address, family), endsOf(address, family))).toBeUndefined();
  });
});

it('the common ends of two addresses are those of their characters', () => {
  const random = createRandom(5);
  const digits = fc.string({
    unit: fc.constantFrom(...'0123456789abcdef'),
    minLength: 40,
    maxLength: 40,
  });
  const common = (a: string, b: string): number => {
    const at = [...a].findIndex((character, i) => character !== b[i]);
    return Math.min(7, at === -1 ? a.length : at);
  };
  const reversed = (text: string): string => [...text].reverse().join('');
  fc.assert(
    fc.property(digits, digits, fc.nat(8), fc.nat(8), (a, b, head, tail) => {
      const twin = a.slice(0, head) + b.slice(head, 40 - tail) + a.slice(40 - tail);
      const [heads, tails] = [common(a, twin), common(reversed(a), reversed(twin))];
      const expected =
        heads < 3 || tails < 4 ? undefined : { headBits: heads * 4, tailBits: tails * 4 };
      expect(shared('evm', `0x${a}`, `0x${twin}`)).toEqual(expected);
    }),
  );
  for (const [make, family] of [
    [evmAddress, 'evm'],
    [tronAddress, 'tron'],
    [segwitAddress, 'bitcoin'],
  ] as const) {
    for (let i = 0; i < 200; i++) expect(endsOf(make(random), family).head).not.toBe(0);
  }
});
