import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { type Wallet, WalletPage } from '../../sandbox/money-records.ts';
import { walk } from '../../sandbox/pages.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { openSandbox, printAll, readTail, tailOf, type TailFlags } from './open.ts';

export type WalletsFlags = TailFlags & Readonly<{ account?: string }>;

/** `bursar sandbox wallets`: the settlement wallets with their balances. */
export async function wallets(flags: WalletsFlags, context: Context): Promise<number> {
  const listing = { path: '/wallets', query: { account: flags.account }, page: WalletPage };
  const found = walk(await openSandbox(flags, context), listing);
  await printAll(context, tailOf(found, readTail(flags)), output());
  return EXIT.done;
}

function output() {
  const table = createTable([
    { title: 'BLOCKCHAIN', width: 10 },
    { title: 'ADDRESS', width: 44 },
    { title: 'NAME', width: 20 },
    { title: 'ACCOUNT', width: 42 },
    { title: 'BALANCES', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-wallets/v1',
    name: 'wallets',
    lineSchema: 'bursar.sandbox-wallet/v1',
    header: table.header(),
    textOf: ({ blockchain, address, name, account, balances }: Wallet) =>
      table.row([blockchain, address, name ?? '-', account, balancesText(balances)].map(printable)),
  };
}

const balancesText = (balances: Wallet['balances']): string =>
  balances.map(({ amount, currency }) => `${amount} ${currency}`).join(', ');
