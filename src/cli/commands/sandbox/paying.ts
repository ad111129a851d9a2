import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import type {
  AdminAccount,
  AdminMassPayout,
  AdminTariff,
  AdminWithdrawal,
} from '@bursar/sandbox/admin';
import type { z } from 'zod';
import { moneyText } from '../../../domain/text/money-text.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { flag, type OperationCommand, optionalFlag } from '../../operation-table/operation.ts';
import { list, type ListView } from '../../operation-table/printout.ts';
import type { Context } from '../../context.ts';
import { recordText } from '../../print/record-text.ts';
import { sandboxPages, tailList } from '../../sandbox/pages.ts';
import { readJsonFile } from '../../sandbox/json-file.ts';
import { printable } from '../../terminal/printable.ts';
import {
  decimal,
  oneAccount,
  oneOf,
  onlyAccount,
  people,
  positions,
  tailFields,
  text,
} from './fields.ts';
import { sandboxOperation, sandboxRecord } from './operations.ts';

const MASS_PAYOUT_VIEW = sandboxPages('GET /mass-payouts', 'massPayouts', {
  schema: 'bursar.sandbox-payouts/v1',
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
});

const WITHDRAWAL_VIEW = sandboxPages('GET /mass-payouts/withdrawals', 'withdrawals', {
  schema: 'bursar.sandbox-withdrawals/v1',
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
});

function errorText({ errorMessage, errorResolved }: AdminWithdrawal): string {
  if (errorMessage === null) return '';
  return errorResolved ? `${errorMessage} (resolved)` : errorMessage;
}

function massPayoutText(massPayout: AdminMassPayout, context: Context): string {
  const { n: _, id, state, ...rest } = massPayout;
  return recordText(`Mass payout ${id}: ${state}`, rest, context);
}

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

const CHOSEN = 'only these withdrawals, with commas';

const chosen = { positions: optionalFlag('--positions <numbers>', CHOSEN, positions) };

const ACCOUNT_VIEW: ListView<AdminAccount> = {
  schema: 'bursar.sandbox-accounts/v1',
  array: 'accounts',
  lineSchema: 'bursar.sandbox-account/v1',
  columns: [
    { title: 'ACCOUNT', width: 42, cell: (of) => of.account },
    { title: 'CONFIRMATIONS', width: 13, right: true, cell: (of) => of.confirmations },
    { title: 'NAME', width: 0, cell: (of) => of.name },
  ],
};

function peopleText(count: number): string {
  if (count === 0) return 'no person has to confirm a mass payout';
  return count === 1
    ? 'one person must confirm each mass payout'
    : `${count} people must confirm each mass payout`;
}

const TARIFF_VIEW: ListView<AdminTariff> = {
  schema: 'bursar.sandbox-tariffs/v1',
  array: 'tariffs',
  lineSchema: 'bursar.sandbox-tariff/v1',
  columns: [
    { title: 'CURRENCY', width: 12, cell: (of) => of.currency },
    { title: 'PERCENT', width: 12, right: true, cell: (of) => of.percent },
    { title: 'FIX', width: 12, right: true, cell: (of) => of.fix },
    { title: 'MIN', width: 12, right: true, cell: (of) => of.min },
  ],
};

const tariffCurrency = flag('<currency>', 'such as USDT_TRC20', text);

/** Mass payouts, money on a balance, and the terms of a merchant: the confirmer, and the fees. */
export const PAYING_OPERATIONS = [
  sandboxOperation({
    name: 'payouts',
    summary: 'list the mass payouts, or the withdrawals of one, the latest last',
    fields: {
      id: optionalFlag('[id]', 'one mass payout, with its withdrawals', text),
      ...tailFields,
      ...onlyAccount,
      state: optionalFlag(
        '--state <state>',
        'only mass payouts in this state',
        oneOf(PAYOUT_STATES),
      ),
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
  }),
  change('confirm', 'confirm a mass payout in PENDING_CONFIRMATION, as one person'),
  change('decline', 'decline a mass payout in PENDING_CONFIRMATION'),
  change('resend', 'send failed withdrawals again', chosen),
  change('end-waiting', 'end a mass payout in WAITING_COMPLETION_ERRORS'),
  sandboxOperation({
    name: 'seed',
    summary: 'add a mass payout in any state, with its withdrawals and errors',
    fields: { file: flag('<file>', 'JSON object as of POST /sandbox/mass-payouts, or -', text) },
    async run({ file }, sandbox, context) {
      const seed = await readJsonFile(file, context);
      const record = await sandbox.call('POST /mass-payouts', seed as object);
      return { schema: 'bursar.sandbox-payout/v1', record, text: massPayoutText(record, context) };
    },
  }),
  sandboxRecord({
    name: 'top-up',
    summary: 'add money to a balance',
    fields: {
      amount: flag('<amount>', 'such as 12.5', decimal),
      currency: flag('<currency>', 'such as USDT_TRC20', text),
      ...oneAccount,
      opCode: optionalFlag('--opcode <code>', 'SETTLEMENT_TOP_UP (the default) or TOP_UP', text),
    },
    endpoint: 'POST /top-up',
    schema: 'bursar.sandbox-top-up/v1',
    text: ({ account, balance, currency }) =>
      printable(`${account} has ${moneyText(balance, currency)} now.`),
  }),
  sandboxOperation({
    name: 'accounts list',
    isDefault: true,
    summary: 'list the accounts, and how many people must confirm (the default)',
    run: async (_given, sandbox) =>
      list(ACCOUNT_VIEW, (await sandbox.call('GET /accounts')).accounts),
  }),
  sandboxRecord({
    name: 'accounts set',
    summary: 'set how many people must confirm each mass payout from now on',
    fields: {
      confirmations: flag('<people>', '0 for none; or reset: as in the settings', people),
      ...oneAccount,
    },
    schema: 'bursar.sandbox-account/v1',
    endpoint: 'POST /accounts',
    text: ({ account, confirmations }) => printable(`${account}: ${peopleText(confirmations)}.`),
  }),
  sandboxOperation({
    name: 'tariffs list',
    isDefault: true,
    summary: 'list the currencies with a tariff of their own (the default)',
    run: async (_given, sandbox) => list(TARIFF_VIEW, (await sandbox.call('GET /tariffs')).tariffs),
  }),
  sandboxOperation({
    name: 'tariffs set',
    summary: 'set what a currency costs from now on; a part that is left out is 0',
    fields: {
      currency: tariffCurrency,
      percent: optionalFlag(
        '--percent <decimal>',
        'share of each withdrawal, such as 0.5',
        decimal,
      ),
      fix: optionalFlag('--fix <decimal>', 'fixed part', decimal),
      min: optionalFlag('--min <decimal>', 'least of both together', decimal),
    },
    async run({ currency, ...tariff }, sandbox) {
      if (Object.keys(tariff).length === 0) {
        throw flagInvalid('tariff', 'give at least one of --percent, --fix, --min');
      }
      return list(TARIFF_VIEW, (await sandbox.call('POST /tariffs', { currency, tariff })).tariffs);
    },
  }),
  sandboxOperation({
    name: 'tariffs reset',
    summary: 'give a currency back to the settings',
    fields: { currency: tariffCurrency },
    async run({ currency }, sandbox) {
      const { tariffs } = await sandbox.call('POST /tariffs', { currency, tariff: null });
      return list(TARIFF_VIEW, tariffs);
    },
  }),
];
