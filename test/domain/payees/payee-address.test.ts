import { describe, expect, it } from '@jest/globals';
import {
  payeeHash,
  payeeIdOf,
  payeeKeyOf,
  payeeKeysOf,
  payeeNetworkOf,
} from '../../../src/domain/payees/payee-address.ts';
import { PART, printRows } from '../../../src/domain/plan/row-print.ts';

const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

describe('the network of a payee', () => {
  it.each([
    ['USDT_TRC20', 'tron'],
    ['trc20', 'tron'],
    ['tron', 'tron'],
    ['BTC', 'bitcoin'],
    ['bitcoincash', 'bitcoinCash'],
    ['USDC_POLYGON', 'evm'],
    ['eth', 'evm'],
    ['USDT_NEWNET', 'USDT_NEWNET'],
    ['a network', undefined],
  ])('of %s is %s', (text, network) => {
    expect(payeeNetworkOf(text)).toBe(network);
  });
});

it('one address in two spellings is one payee', () => {
  expect(payeeKeyOf('evm', EVM)).toEqual(payeeKeyOf('evm', EVM.toLowerCase()));
});

it('an address of another network is no payee', () => {
  expect(payeeKeyOf('tron', EVM)).toBeUndefined();
});

it('an address is found on each network that has such addresses', () => {
  expect(payeeKeysOf(TRON).map(({ network }) => network)).toEqual(['tron']);
  const both = payeeKeysOf('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2').map(({ network }) => network);
  expect(both.toSorted()).toEqual(['bitcoin', 'bitcoinCash']);
});

it.each([
  ['USDT_TRC20', TRON],
  ['USDC_ERC20', EVM],
  ['XYZ_NEWNET', 'some-address'],
])('the hash of a payee is that of a row in %s', (currency, address) => {
  const row = { row: 1, address, amount: '5', comment: '', reference: '', name: '' };
  const print = printRows(currency, [row]);
  const key = payeeKeyOf(payeeNetworkOf(currency) ?? '', address);
  expect(key).toBeDefined();
  if (key === undefined) return;
  const { low, high } = payeeHash(key);
  expect([low, high]).toEqual([print[PART.address], print[PART.address + 1]]);
});

it('the id of a payee differs between accounts, and has no part of the address', () => {
  const key = { network: 'tron', address: TRON };
  expect(payeeIdOf('a', key)).toMatch(/^[0-9a-f]{16}$/);
  expect(payeeIdOf('a', key)).not.toBe(payeeIdOf('b', key));
});
