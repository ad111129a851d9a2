import { currencyInfo } from '../../domain/currencies/currency-info.ts';
import { PART, PRINT_WORDS, type PrintSpace, printRows } from '../../domain/plan/row-print.ts';
import { checkAddressCell } from '../../domain/rows/row-rules-address.ts';
import { type AddressFingerprint, addressFingerprintAt } from './address-fingerprint.ts';
import { addKey, bitOfKey, createBloomFilter } from './bloom-filter.ts';

/** The account's own addresses that are valid in a currency. */
export type OwnAddresses = Readonly<{
  list: readonly OwnAddress[];
  /** Returns the own address that a row of the same currency pays, or undefined. */
  textAt(prints: Int32Array, at: number): string | undefined;
}>;

export type OwnAddress = Readonly<{ address: AddressFingerprint; text: string }>;

/** Selects the own addresses that are valid in the currency of the space. */
export function ownAddressesIn(space: PrintSpace, addresses: readonly string[]): OwnAddresses {
  const { network } = currencyInfo(space.currency);
  const payable = addresses.filter((address) => checkAddressCell(address, network).ok);
  const rows = payable.map((address, row) => ({
    row,
    address,
    amount: '1',
    comment: '',
    reference: '',
    name: '',
  }));
  const prints = printRows(space.currency, rows);
  const list = payable.map((text, i) => ({
    address: addressFingerprintAt(prints, i * PRINT_WORDS, space),
    text,
  }));
  const lows = createBloomFilter(list.length);
  for (const { address } of list) addKey(lows, address.low);
  return {
    list,
    textAt(paid, at) {
      const low = paid[at + PART.address] ?? 0;
      if (bitOfKey(lows.words, lows.mask, low) === 0) return undefined;
      const high = paid[at + PART.address + 1];
      return list.find(({ address }) => address.low === low && address.high === high)?.text;
    },
  };
}
