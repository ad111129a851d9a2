import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { instantText } from '../../../operations/text/instants.ts';
import {
  Balances,
  type Balance,
  type LedgerEntry,
  LedgerPage,
} from '../../sandbox/money-records.ts';
import { walk } from '../../sandbox/pages.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { openSandbox, printAll, readTail, tailOf, type TailFlags } from './open.ts';

export type LedgerFlags = TailFlags &
  Readonly<{ account?: string; currency?: string; entries?: boolean }>;

/** `bursar sandbox ledger`: the balances with the proof that they tie out, or the entries. */
export async function ledger(flags: LedgerFlags, context: Context): Promise<number> {
  const { account, currency, entries } = flags;
  if (flags.tail !== undefined && !entries) throw flagInvalid('--tail', 'it belongs to --entries');
  const query = { account, currency };
  const tail = readTail(flags);
  const sandbox = await openSandbox(flags, context);
  if (entries) {
    const listing = { path: '/ledger', query, page: LedgerPage };
    await printAll(context, tailOf(walk(sandbox, listing), tail), entryOutput(context));
  } else {
    const request = { path: '/ledger', query: { ...query, limit: 1 }, answer: Balances };
    await printAll(context, (await sandbox.ask(request)).balances, balanceOutput());
  }
  return EXIT.done;
}

function balanceOutput() {
  const table = createTable([
    { title: 'ACCOUNT', width: 42 },
    { title: 'CURRENCY', width: 12 },
    { title: 'OPENING', width: 16, right: true },
    { title: 'CHANGES', width: 16, right: true },
    { title: 'BALANCE', width: 16, right: true },
    { title: 'TIES OUT', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-ledger/v1',
    name: 'balances',
    lineSchema: 'bursar.sandbox-balance/v1',
    header: table.header(),
    textOf: (of: Balance) =>
      table.row([
        ...[of.account, of.currency, of.opening, of.sum, of.balance].map(printable),
        of.tiesOut ? 'yes' : 'NO',
      ]),
  };
}

function entryOutput({ clock }: Pick<Context, 'clock'>) {
  const table = createTable([
    { title: 'N', width: 6, right: true },
    { title: 'KIND', width: 13 },
    { title: 'AMOUNT', width: 16, right: true },
    { title: 'CURRENCY', width: 12 },
    { title: 'MASS PAYOUT', width: 36 },
    { title: 'WITHDRAWAL', width: 36 },
    { title: 'TIME', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-entries/v1',
    name: 'entries',
    lineSchema: 'bursar.sandbox-entry/v1',
    header: table.header(),
    textOf: ({ n, kind, amount, currency, massPayoutId, withdrawalId, time }: LedgerEntry) =>
      table.row([
        String(n),
        ...[kind, amount, currency, massPayoutId ?? '-', withdrawalId ?? '-'].map(printable),
        instantText(time, clock),
      ]),
  };
}
