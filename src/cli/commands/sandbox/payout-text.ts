import type { Context } from '../../context.ts';
import { recordText } from '../../print/record-text.ts';
import type { MassPayout, Withdrawal } from '../../sandbox/money-records.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';

/** A mass payout for people. */
export function massPayoutText(
  massPayout: MassPayout,
  context: Pick<Context, 'clock' | 'colours'>,
): string {
  const { n: _, id, state, ...rest } = massPayout;
  return recordText(`Mass payout ${id}: ${state}`, rest, context);
}

/** How the withdrawals of a mass payout are printed. */
export function withdrawalOutput() {
  const table = createTable([
    { title: 'POSITION', width: 8, right: true },
    { title: 'STATE', width: 20 },
    { title: 'AMOUNT', width: 14, right: true },
    { title: 'FEE', width: 10, right: true },
    { title: 'ADDRESS', width: 42 },
    { title: 'ID', width: 36 },
    { title: 'ERROR', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-withdrawals/v1',
    name: 'withdrawals',
    lineSchema: 'bursar.sandbox-withdrawal/v1',
    header: table.header(),
    textOf: (of: Withdrawal) =>
      table.row([
        String(of.position),
        ...[of.state, of.amount, of.fee, of.depositAddress, of.withdrawalId].map(printable),
        printable(errorText(of)),
      ]),
  };
}

const errorText = ({ errorMessage, errorResolved }: Withdrawal): string => {
  if (errorMessage === null) return '';
  return errorResolved ? `${errorMessage} (resolved)` : errorMessage;
};
