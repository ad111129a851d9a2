import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { type Movement, MovementPage } from '../../sandbox/money-records.ts';
import { walk } from '../../sandbox/pages.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { openSandbox, printAll, readTail, tailOf, type TailFlags } from './open.ts';

export type MovementsFlags = TailFlags & Readonly<{ account?: string }>;

/** `bursar sandbox movements`: what happened on the network, in sums: top-ups, and withdrawals that were paid. */
export async function movements(flags: MovementsFlags, context: Context): Promise<number> {
  const tail = readTail(flags);
  const listing = { path: '/movements', query: { account: flags.account }, page: MovementPage };
  const found = walk(await openSandbox(flags, context), listing);
  await printAll(context, tailOf(found, tail), output(context));
  return EXIT.done;
}

function output({ clock }: Pick<Context, 'clock'>) {
  const table = createTable([
    { title: 'N', width: 6, right: true },
    { title: 'CODE', width: 26 },
    { title: 'TRANSACTIONS', width: 12, right: true },
    { title: 'AMOUNT', width: 16, right: true },
    { title: 'FEE', width: 12, right: true },
    { title: 'CURRENCY', width: 12 },
    { title: 'MASS PAYOUT', width: 36 },
    { title: 'TIME', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-movements/v1',
    name: 'movements',
    lineSchema: 'bursar.sandbox-movement/v1',
    header: table.header(),
    textOf: (of: Movement) =>
      table.row([
        String(of.n),
        printable(of.opCode),
        String(of.transactions),
        ...[of.amount, of.fee, of.currency, of.massPayoutId ?? '-'].map(printable),
        instantText(of.time, clock),
      ]),
  };
}
