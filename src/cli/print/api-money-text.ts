import type { Balances, FeeQuote } from '@bursar/merchant-api';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';

/** The balances of an account, for people. */
export function balanceText({ account, name, balances }: Balances): string {
  const table = createTable([
    { title: 'AMOUNT', width: 24, right: true },
    { title: 'CURRENCY', width: 0 },
  ]);
  return [
    printable(`Account ${account} (${name})`),
    table.header(),
    ...balances.map(({ amount, currency }) => table.row([amount, printable(currency)])),
  ].join('\n');
}

/** What the service would charge, for people. */
export function feesText({ items }: Readonly<{ items: readonly FeeQuote[] }>): string {
  const table = createTable([
    { title: 'AMOUNT', width: 16, right: true },
    { title: 'CURRENCY', width: 11 },
    { title: 'OPERATION', width: 10 },
    { title: 'FEE OF SENDER', width: 16, right: true },
    { title: 'FEE OF RECEIVER', width: 16, right: true },
  ]);
  const rows = items.map(({ amount, currency, opType, feeSender, feeReceiver }) =>
    table.row([amount, printable(currency), printable(opType), feeSender.fee, feeReceiver.fee]),
  );
  return [table.header(), ...rows].join('\n');
}
