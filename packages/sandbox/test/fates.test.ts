import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FATES, type FateCode, fateOf } from '../src/core/fates.ts';
import { type TestAddressNetwork, testAddress } from '../src/test-addresses.ts';
import { anyText } from '../../../test/support/any-text.ts';

const CODES = Object.keys(FATES) as FateCode[];
const NETWORKS: TestAddressNetwork[] = ['EVM', 'TRON', 'BITCOIN'];
const n = fc.nat({ max: 1_000_000 });

describe('test addresses', () => {
  it.each(NETWORKS.flatMap((network) => CODES.map((code) => ({ network, code }))))(
    'carry the fate $code on $network, however many there are',
    ({ network, code }) => {
      fc.assert(
        fc.property(n, (number) => {
          expect(fateOf(testAddress(code, number, network))).toBe(code);
        }),
        { numRuns: 20 },
      );
    },
  );

  it.each(NETWORKS)('differ for different numbers on %s', (network) => {
    const addresses = Array.from({ length: 500 }, (_, number) =>
      testAddress('0001', number, network),
    );
    expect(new Set(addresses).size).toBe(500);
  });

  it.each(NETWORKS)('with the code 0000 have no effect on %s', (network) => {
    expect(fateOf(testAddress('0000', 1, network))).toBeNull();
  });

  it('count in any case on EVM', () => {
    const address = testAddress('0001', 0xabcdef);
    expect(fateOf(`0x${address.slice(2).toUpperCase()}`)).toBe('0001');
  });

  it('have the form of their network', () => {
    expect(testAddress('0001', 1, 'EVM')).toMatch(/^0x[0-9a-f]{40}$/);
    expect(testAddress('0001', 1, 'TRON')).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
    expect(testAddress('0001', 1, 'BITCOIN')).toMatch(/^1[1-9A-HJ-NP-Za-km-z]{25,33}$/);
  });
});

describe('ordinary addresses', () => {
  it.each([
    ['an EVM address', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
    ['a TRON address', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['a Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['a bech32 address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['the prefix in the middle', `0x${'0'.repeat(8)}deadbeef0001${'0'.repeat(20)}`],
    ['a test address that is too long', `${testAddress('0001', 1)}0`],
    ['nothing', ''],
  ])('%s has no fate', (_name, address) => {
    expect(fateOf(address)).toBeNull();
  });

  it('a test address with one wrong character of Base58 has none either', () => {
    fc.assert(
      fc.property(
        n,
        fc.nat({ max: 33 }),
        fc.constantFrom(...'123ABCabc'),
        (number, at, character) => {
          const address = testAddress('0001', number, 'TRON');
          fc.pre(address[at] !== character);
          expect(fateOf(address.slice(0, at) + character + address.slice(at + 1))).toBeNull();
        },
      ),
    );
  });

  it('any text at all is read without an error', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 60 }), (text) => {
        expect(fateOf(text)).toBeNull();
      }),
    );
  });
});
