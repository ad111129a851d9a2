import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createNameReader, destinationOf } from '../../../src/domain/reconcile/payment.ts';
import {
  isOfMassPayout,
  mayPayOut,
  packTransaction,
  paidAmount,
  unpackTransaction,
} from '../../../src/domain/reconcile/wallet-transaction.ts';
import { testAddress } from '../../../packages/sandbox/src/test-addresses.ts';
import { OPERATION_CODES } from '@bursar/merchant-api/spec';

const TRON = testAddress('0000', 1, 'TRON');
const EVM = testAddress('0000', 1, 'EVM');
/** The same destination as `EVM`, with capital letters. */
const EVM_LOUD = `0x${EVM.slice(2).toUpperCase()}`;

describe('a transaction names a currency of the batch', () => {
  it.each`
    batch                        | name                  | address | currency
    ${'USDT_TRC20'}              | ${'USDT_TRC20'}       | ${TRON} | ${'USDT_TRC20'}
    ${'USDT_TRC20'}              | ${'usdt_trc20'}       | ${TRON} | ${'USDT_TRC20'}
    ${'USDT_TRC20'}              | ${'USDT_TRX'}         | ${TRON} | ${'USDT_TRC20'}
    ${'USDT_TRC20'}              | ${'USDT'}             | ${TRON} | ${'USDT_TRC20'}
    ${'USDT_TRC20'}              | ${'USDT'}             | ${EVM}  | ${undefined}
    ${'USDT_TRC20'}              | ${'USDT_ERC20'}       | ${EVM}  | ${undefined}
    ${'USDT_TRC20'}              | ${'TRX'}              | ${TRON} | ${undefined}
    ${'USDT_TRC20 USDT_ERC20'}   | ${'USDT'}             | ${EVM}  | ${'USDT_ERC20'}
    ${'USDT_POLYGON USDT_ERC20'} | ${'USDT'}             | ${EVM}  | ${undefined}
    ${'USDT_POLYGON USDT_ERC20'} | ${'USDT_ERC20'}       | ${EVM}  | ${'USDT_ERC20'}
    ${'NEW_CHAIN'}               | ${'NEW'}              | ${'x1'} | ${'NEW_CHAIN'}
    ${'NEW_CHAIN'}               | ${'NEW_OTHER'}        | ${'x1'} | ${undefined}
    ${'USDT_TRC20'}              | ${''}                 | ${TRON} | ${undefined}
    ${'USDT_TRC20'}              | ${'not a\u0000 name'} | ${TRON} | ${undefined}
  `('"$name" to $address is $currency of $batch', ({ batch, name, address, currency }) => {
    const nameOf = createNameReader(String(batch).split(' '));
    expect(nameOf(String(name), String(address)).currency).toBe(currency);
  });

  it.each(['USDT_TRC20', 'TRX', 'GIFT', ''])(
    'and whom it pays, also when its currency "%s" is none of the batch',
    (name) => {
      const nameOf = createNameReader(['USDT_TRC20', 'USDC_ERC20']);
      expect(nameOf(name, TRON).destination).toBe(destinationOf(TRON, 'USDT_TRC20'));
      expect(nameOf(name, 'nobody').destination).toBe('? nobody');
    },
  );
});

describe('a destination', () => {
  it('is the same for every way to write its address', () => {
    expect(destinationOf(EVM_LOUD, 'USDC_ERC20')).toBe(destinationOf(EVM, 'USDT_POLYGON'));
    expect(destinationOf(EVM, 'USDC_ERC20')).not.toBe(destinationOf(TRON, 'USDT_TRC20'));
  });

  it('is the text itself on unknown networks', () => {
    expect(destinationOf('Acct-1', 'NEW_CHAIN')).toBe('? Acct-1');
  });
});

const TRANSACTION = { amount: '1', currency: 'USDT', opCode: 'FEE' };

describe('an operation code', () => {
  it('of the specification pays out when it is one of a withdrawal', () => {
    const paying = OPERATION_CODES.filter((opCode) => mayPayOut({ ...TRANSACTION, opCode }));
    expect(paying).toContain('SETTLEMENT_MASS_WITHDRAWAL');
    expect(paying).toContain('SETTLEMENT_SINGLE_WITHDRAWAL');
    for (const opCode of ['TOP_UP', 'SETTLEMENT_TOP_UP', 'FEE', 'RECOVERY', 'BOUND_INVOICE']) {
      expect(paying).not.toContain(opCode);
    }
  });

  it('that is unknown may pay out', () => {
    expect(mayPayOut({ ...TRANSACTION, opCode: 'INSTANT_TRANSFER' })).toBe(true);
    expect(isOfMassPayout({ ...TRANSACTION, opCode: 'INSTANT_TRANSFER' })).toBe(false);
  });
});

it('an amount below zero left the wallet', () => {
  const amounts = ['-1.5', '1.5'].map((amount) => paidAmount({ ...TRANSACTION, amount }));
  expect(amounts).toEqual(['1.5', '1.5']);
});

it('a packed transaction is unpacked unchanged', () => {
  const text = fc.option(fc.string(), { nil: undefined });
  const transaction = fc.record({
    amount: fc.string(),
    currency: fc.string(),
    opCode: fc.string(),
    addressTo: text,
    atMs: fc.option(fc.integer(), { nil: undefined }),
    hash: text,
    serviceFee: text,
    serviceFeeCurrency: text,
    networkFee: text,
    networkFeeCurrency: text,
  });
  fc.assert(
    fc.property(transaction, (one) => {
      expect(unpackTransaction(packTransaction(one))).toEqual(one);
    }),
  );
});
