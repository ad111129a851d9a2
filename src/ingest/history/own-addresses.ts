import { currencyInfo } from '../../domain/currencies/currency-info.ts';
import { type PrintSegment, printRows } from '../../domain/plan/row-print.ts';
import { checkAddressCell } from '../../domain/rows/row-rules-address.ts';

/** Those of the account's own addresses that can be paid in a currency, as prints; the row number is a place in the list. */
export function ownAddressPrints(currency: string, addresses: readonly string[]): PrintSegment {
  const { network } = currencyInfo(currency);
  const rows = addresses.flatMap((address, place) =>
    checkAddressCell(address, network).ok
      ? [{ row: place, address, amount: '1', comment: '', reference: '' }]
      : [],
  );
  return { currency, prints: printRows(currency, rows) };
}
