import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readChoices } from '../../../operations/input/lists.ts';
import { instantText } from '../../../operations/text/instants.ts';
import {
  type MassPayout,
  MassPayoutOf,
  MassPayoutPage,
  WithdrawalPage,
} from '../../sandbox/money-records.ts';
import type { Sandbox } from '../../sandbox/client.ts';
import { walk } from '../../sandbox/pages.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { openSandbox, printAll, readTail, tailOf, type TailFlags } from './open.ts';
import { massPayoutText, withdrawalOutput } from './payout-text.ts';

export type PayoutsFlags = TailFlags & Readonly<{ id?: string; account?: string; state?: string }>;

/** `bursar sandbox payouts [ID]`: the latest mass payouts, or one with its withdrawals. */
export async function payouts(flags: PayoutsFlags, context: Context): Promise<number> {
  const { id, account, state } = flags;
  const query = { account, state: state === undefined ? undefined : readState(state) };
  const tail = readTail(flags);
  const sandbox = await openSandbox(flags, context);
  if (id !== undefined) {
    if ((account ?? state) !== undefined) {
      throw flagInvalid('ID', 'it names one mass payout; leave --account and --state out');
    }
    return onePayout(sandbox, { id, tail }, context);
  }
  const listing = { path: '/mass-payouts', query, page: MassPayoutPage };
  await printAll(context, tailOf(walk(sandbox, listing), tail), output(context));
  return EXIT.done;
}

async function onePayout(
  sandbox: Sandbox,
  { id, tail }: Readonly<{ id: string; tail: number }>,
  context: Context,
): Promise<number> {
  const path = '/mass-payouts/withdrawals';
  const answer = await sandbox.ask({ path, query: { id, limit: 1 }, answer: MassPayoutOf });
  if (context.format === 'text') context.print(massPayoutText(answer.massPayout, context));
  const withdrawals = walk(sandbox, { path, query: { id }, page: WithdrawalPage });
  await printAll(context, tailOf(withdrawals, tail), { ...withdrawalOutput(), about: answer });
  return EXIT.done;
}

function readState(text: string): string {
  const [state, ...more] = readChoices('--state', text, PAYOUT_STATES);
  if (state !== undefined && more.length === 0) return state;
  throw flagInvalid('--state', 'give one state');
}

function output({ clock }: Pick<Context, 'clock'>) {
  const table = createTable([
    { title: 'ID', width: 36 },
    { title: 'STATE', width: 25 },
    { title: 'WITHDRAWALS', width: 11, right: true },
    { title: 'AMOUNT', width: 14, right: true },
    { title: 'FEE', width: 10, right: true },
    { title: 'CURRENCY', width: 12 },
    { title: 'CREATED', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-payouts/v1',
    name: 'massPayouts',
    lineSchema: 'bursar.sandbox-payout/v1',
    header: table.header(),
    textOf: (of: MassPayout) =>
      table.row([
        printable(of.id),
        printable(of.state),
        String(of.withdrawals),
        ...[of.totalAmount, of.totalFee, of.currency].map(printable),
        instantText(of.createdDate, clock),
      ]),
  };
}
