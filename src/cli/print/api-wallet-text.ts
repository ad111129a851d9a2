import type { AssumedWallet, Transaction, Wallet } from '@bursar/merchant-api';
import type { Clock } from '../../operations/context.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';
import { dateText, openText } from './record-text.ts';

/** How a list of wallets is printed. */
export function walletList() {
  const table = createTable([
    { title: 'NAME', width: 20 },
    { title: 'BLOCKCHAIN', width: 10 },
    { title: 'ADDRESS', width: 44 },
    { title: 'BALANCES', width: 0 },
  ]);
  return {
    schema: 'bursar.api-wallets/v1',
    name: 'wallets',
    lineSchema: 'bursar.api-wallet/v1',
    header: table.header(),
    textOf: ({ name, blockchain, address, balances }: Wallet) =>
      table.row([name, blockchain, address, balancesText(balances)].map(printable)),
  };
}

const balancesText = (balances: Wallet['balances']): string =>
  balances.map(({ amount, currency }) => `${amount} ${currency}`).join(', ');

/** One wallet, for people. */
export function walletText(wallet: Wallet): string {
  const { header, textOf } = walletList();
  return `${header}\n${textOf(wallet)}`;
}

/** A wallet, or whatever came where one was expected, for people. */
export const assumedWalletText = (answer: AssumedWallet): string =>
  answer.kind === 'wallet' ? walletText(answer) : openText(answer.content);

/** How a list of transactions is printed. */
export function transactionList({ clock }: Readonly<{ clock: Pick<Clock, 'timeZone'> }>) {
  const table = createTable([
    { title: 'AMOUNT', width: 16, right: true },
    { title: 'CURRENCY', width: 11 },
    { title: 'OPERATION CODE', width: 26 },
    { title: 'SERVICE FEE', width: 16 },
    { title: 'NETWORK FEE', width: 16 },
    { title: 'RECIPIENT', width: 34 },
    { title: 'HASH', width: 64 },
    { title: 'CREATED', width: 0 },
  ]);
  return {
    schema: 'bursar.api-transactions/v1',
    name: 'transactions',
    lineSchema: 'bursar.api-transaction/v1',
    header: table.header(),
    textOf: (of: Transaction) =>
      table.row([
        of.amount,
        printable(of.currency),
        printable(of.opCode),
        feeText(of.serviceFee, of.serviceFeeCurrency),
        feeText(of.networkFee, of.networkFeeCurrency),
        printable(of.addressTo ?? '-'),
        printable(of.transactionHash ?? '-'),
        of.createdDate === undefined ? '-' : dateText(of.createdDate, clock),
      ]),
  };
}

const feeText = (fee: string | undefined, currency: string | undefined): string =>
  fee === undefined ? '-' : printable(`${fee} ${currency ?? ''}`.trimEnd());
