import type { AdminAccount, AdminTariff } from '@bursar/sandbox/admin';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { flag, optionalFlag } from '../../command-table/flag.ts';
import type { OperationSection } from '../../command-table/operation-command.ts';
import type { SandboxView } from '../../sandbox/pages.ts';
import { printable } from '../../terminal/printable.ts';
import { decimal, oneAccount, people, text } from './fields.ts';
import { sandboxList, sandboxRecord } from './operations.ts';

const addMoney = sandboxRecord({
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
  text: ({ account, balance, currency }) => printable(`${account} has ${balance} ${currency} now.`),
});

const ACCOUNT_VIEW: SandboxView<'accounts', AdminAccount> = {
  endpoint: 'GET /accounts',
  schema: 'bursar.sandbox-accounts/v1',
  name: 'accounts',
  lineSchema: 'bursar.sandbox-account/v1',
  columns: [
    { title: 'ACCOUNT', width: 42, cell: (of) => of.account },
    { title: 'CONFIRMATIONS', width: 13, right: true, cell: (of) => of.confirmations },
    { title: 'NAME', width: 0, cell: (of) => of.name },
  ],
};

const listAccounts = sandboxList({
  name: 'accounts list',
  isDefault: true,
  summary: 'list the accounts, and how many people must confirm (the default)',
  view: ACCOUNT_VIEW,
});

const setAccount = sandboxRecord({
  name: 'accounts set',
  summary: 'set how many people must confirm each mass payout from now on',
  fields: {
    confirmations: flag('<people>', '0 for none; or reset: as in the settings', people),
    ...oneAccount,
  },
  schema: 'bursar.sandbox-account/v1',
  endpoint: 'POST /accounts',
  text: ({ account, confirmations }) => printable(`${account}: ${peopleText(confirmations)}.`),
});

function peopleText(count: number): string {
  if (count === 0) return 'no person has to confirm a mass payout';
  return count === 1
    ? 'one person must confirm each mass payout'
    : `${count} people must confirm each mass payout`;
}

const TARIFF_VIEW: SandboxView<'tariffs', AdminTariff> = {
  endpoint: 'GET /tariffs',
  schema: 'bursar.sandbox-tariffs/v1',
  name: 'tariffs',
  lineSchema: 'bursar.sandbox-tariff/v1',
  columns: [
    { title: 'CURRENCY', width: 12, cell: (of) => of.currency },
    { title: 'PERCENT', width: 12, right: true, cell: (of) => of.percent },
    { title: 'FIX', width: 12, right: true, cell: (of) => of.fix },
    { title: 'MIN', width: 12, right: true, cell: (of) => of.min },
  ],
};

const listTariffs = sandboxList({
  name: 'tariffs list',
  isDefault: true,
  summary: 'list the currencies with a tariff of their own (the default)',
  view: TARIFF_VIEW,
});

const tariffCurrency = flag('<currency>', 'such as USDT_TRC20', text);

const setTariff = sandboxList({
  name: 'tariffs set',
  summary: 'set what a currency costs from now on; a part that is left out is 0',
  fields: {
    currency: tariffCurrency,
    percent: optionalFlag('--percent <decimal>', 'share of each withdrawal, such as 0.5', decimal),
    fix: optionalFlag('--fix <decimal>', 'fixed part', decimal),
    min: optionalFlag('--min <decimal>', 'least of both together', decimal),
  },
  view: TARIFF_VIEW,
  endpoint: 'POST /tariffs',
  input({ currency, ...tariff }) {
    if (Object.keys(tariff).length === 0) {
      throw flagInvalid('tariff', 'give at least one of --percent, --fix, --min');
    }
    return { currency, tariff };
  },
});

const resetTariff = sandboxList({
  name: 'tariffs reset',
  summary: 'give a currency back to the settings',
  fields: {
    currency: tariffCurrency,
  },
  view: TARIFF_VIEW,
  endpoint: 'POST /tariffs',
  input: ({ currency }) => ({ currency, tariff: null }),
});

/** Money on a balance, and the terms of a merchant: the confirmer, and the fees. */
export const RULE_OPERATIONS: OperationSection = {
  heading: 'Paying:',
  subgroups: {
    accounts: 'list the accounts, and set how many people confirm a mass payout',
    tariffs: 'list and change the tariffs of single currencies',
  },
  operations: [addMoney, listAccounts, setAccount, listTariffs, setTariff, resetTariff],
};
