import type { AdminMassPayout, AdminWithdrawal } from '@bursar/sandbox/admin';
import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { flag, optionalFlag } from '../../command-table/flag.ts';
import type { OperationCommand, OperationSection } from '../../command-table/operation-command.ts';
import { recordText } from '../../print/record-text.ts';
import type { SandboxPages } from '../../sandbox/pages.ts';
import { oneOf, onlyAccount, positions, tailFields, text } from './fields.ts';
import { sandboxOperation, sandboxRecord, tailList } from './operations.ts';

const MASS_PAYOUT_VIEW: SandboxPages<'massPayouts', AdminMassPayout> = {
  endpoint: 'GET /mass-payouts',
  schema: 'bursar.sandbox-payouts/v1',
  name: 'massPayouts',
  lineSchema: 'bursar.sandbox-payout/v1',
  columns: [
    { title: 'ID', width: 36, cell: (of) => of.id },
    { title: 'STATE', width: 25, cell: (of) => of.state },
    { title: 'WITHDRAWALS', width: 11, right: true, cell: (of) => of.withdrawals },
    { title: 'AMOUNT', width: 14, right: true, cell: (of) => of.totalAmount },
    { title: 'FEE', width: 10, right: true, cell: (of) => of.totalFee },
    { title: 'CURRENCY', width: 12, cell: (of) => of.currency },
    { title: 'CREATED', width: 0, cell: (of) => ({ moment: of.createdDate }) },
  ],
};

const WITHDRAWAL_VIEW: SandboxPages<'withdrawals', AdminWithdrawal> = {
  endpoint: 'GET /mass-payouts/withdrawals',
  schema: 'bursar.sandbox-withdrawals/v1',
  name: 'withdrawals',
  lineSchema: 'bursar.sandbox-withdrawal/v1',
  columns: [
    { title: 'POSITION', width: 8, right: true, cell: (of) => of.position },
    { title: 'STATE', width: 20, cell: (of) => of.state },
    { title: 'AMOUNT', width: 14, right: true, cell: (of) => of.amount },
    { title: 'FEE', width: 10, right: true, cell: (of) => of.fee },
    { title: 'ADDRESS', width: 42, cell: (of) => of.depositAddress },
    { title: 'ID', width: 36, cell: (of) => of.withdrawalId },
    { title: 'ERROR', width: 0, cell: (of) => errorText(of) },
  ],
};

function errorText({ errorMessage, errorResolved }: AdminWithdrawal): string {
  if (errorMessage === null) return '';
  return errorResolved ? `${errorMessage} (resolved)` : errorMessage;
}

function massPayoutText(massPayout: AdminMassPayout, context: Context): string {
  const { n: _, id, state, ...rest } = massPayout;
  return recordText(`Mass payout ${id}: ${state}`, rest, context);
}

const payouts = sandboxOperation({
  name: 'payouts',
  summary: 'list the mass payouts, or the withdrawals of one, the latest last',
  fields: {
    id: optionalFlag('[id]', 'one mass payout, with its withdrawals', text),
    ...tailFields,
    ...onlyAccount,
    state: optionalFlag('--state <state>', 'only mass payouts in this state', oneOf(PAYOUT_STATES)),
  },
  async run({ id, tail, ...query }, sandbox, context) {
    if (id === undefined) return tailList(sandbox, MASS_PAYOUT_VIEW, { tail, ...query });
    if ((query.account ?? query.state) !== undefined) {
      throw flagInvalid('ID', 'it names one mass payout; leave --account and --state out');
    }
    const first = await sandbox.call('GET /mass-payouts/withdrawals', { id, limit: 1 });
    const { massPayout } = first;
    if (context.format === 'text') context.print(massPayoutText(massPayout, context));
    return { ...tailList(sandbox, WITHDRAWAL_VIEW, { id, tail }), about: { massPayout } };
  },
});

type Change = 'confirm' | 'decline' | 'resend' | 'end-waiting';

/** A change that a person makes in the service's own interface. It prints the mass payout as it is after the change. */
const change = (name: Change, summary: string, more: z.ZodRawShape = {}): OperationCommand =>
  sandboxRecord({
    name,
    summary,
    fields: { id: flag('<id>', 'id of the mass payout', text), ...more },
    schema: 'bursar.sandbox-payout/v1',
    endpoint: `POST /mass-payouts/${name}`,
    text: massPayoutText,
  });

const chosen = {
  positions: optionalFlag(
    '--positions <numbers>',
    'only these withdrawals, with commas',
    positions,
  ),
};

/** Mass payouts, and what people do with them in the service's own interface. */
export const PAYOUT_OPERATIONS: OperationSection = {
  heading: 'Paying:',
  operations: [
    payouts,
    change('confirm', 'confirm a mass payout in PENDING_CONFIRMATION, as one person'),
    change('decline', 'decline a mass payout in PENDING_CONFIRMATION'),
    change('resend', 'send failed withdrawals again', chosen),
    change('end-waiting', 'end a mass payout in WAITING_COMPLETION_ERRORS'),
  ],
};
