import type {
  AdminBalance,
  AdminLedgerEntry,
  AdminMovement,
  AdminWallet,
} from '@bursar/sandbox/admin';
import { z } from 'zod';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { optionalFlag } from '../../command-table/flag.ts';
import type { OperationSection } from '../../command-table/operation-command.ts';
import { list, type ListView, render } from '../../command-table/printout.ts';
import { openPage } from '../../sandbox/open-page.ts';
import type { SandboxListing } from '../../sandbox/pages.ts';
import { onlyAccount, tailFields, text } from './fields.ts';
import { log } from './log.ts';
import { sandboxOperation, tailOf } from './operations.ts';
import { start } from './start.ts';
import { status } from './status.ts';

const console = sandboxOperation({
  name: 'console',
  summary: 'print the address of its page for people, who look and act there',
  fields: {
    open: optionalFlag('--open', 'open it in the browser too', z.boolean()),
  },
  async run({ open }, sandbox, context) {
    await sandbox.call({ endpoint: 'GET /health' });
    const url = `${sandbox.url}/sandbox/console`;
    // Printed first: where nothing can open the address, the person still sees it.
    await render({ schema: 'bursar.sandbox-console/v1', record: { url }, text: url }, context);
    if (open) await openPage(url, context);
    return EXIT.done;
  },
});

const openapi = sandboxOperation({
  name: 'openapi',
  summary: 'print the OpenAPI document of what it serves',
  async run(_given, sandbox, context) {
    const document = await sandbox.call({ endpoint: 'GET /openapi.json' });
    // Every format prints the document itself.
    context.print(JSON.stringify(document, undefined, context.format === 'jsonl' ? 0 : 2));
    return EXIT.done;
  },
});

const BALANCE_VIEW: ListView<AdminBalance> = {
  schema: 'bursar.sandbox-ledger/v1',
  name: 'balances',
  lineSchema: 'bursar.sandbox-balance/v1',
  columns: [
    { title: 'ACCOUNT', width: 42, cell: (of) => of.account },
    { title: 'CURRENCY', width: 12, cell: (of) => of.currency },
    { title: 'OPENING', width: 16, right: true, cell: (of) => of.opening },
    { title: 'CHANGES', width: 16, right: true, cell: (of) => of.sum },
    { title: 'BALANCE', width: 16, right: true, cell: (of) => of.balance },
    { title: 'TIES OUT', width: 0, cell: (of) => (of.tiesOut ? 'yes' : 'NO') },
  ],
};

const ENTRY_VIEW: ListView<AdminLedgerEntry> = {
  schema: 'bursar.sandbox-entries/v1',
  name: 'entries',
  lineSchema: 'bursar.sandbox-entry/v1',
  columns: [
    { title: 'N', width: 6, right: true, cell: (of) => of.n },
    { title: 'KIND', width: 13, cell: (of) => of.kind },
    { title: 'AMOUNT', width: 16, right: true, cell: (of) => of.amount },
    { title: 'CURRENCY', width: 12, cell: (of) => of.currency },
    { title: 'MASS PAYOUT', width: 36, cell: (of) => of.massPayoutId },
    { title: 'WITHDRAWAL', width: 36, cell: (of) => of.withdrawalId },
    { title: 'TIME', width: 0, cell: (of) => ({ moment: of.time }) },
  ],
};

type EntryListing = SandboxListing<'GET /ledger', AdminLedgerEntry>;

const ledger = sandboxOperation({
  name: 'ledger',
  summary: 'show the balances, and whether they tie out with the ledger',
  fields: {
    ...tailFields,
    ...onlyAccount,
    currency: optionalFlag('--currency <currency>', 'only this currency', text),
    entries: optionalFlag('--entries', 'list the entries instead of the balances', z.boolean()),
  },
  async run({ tail, entries, ...query }, sandbox) {
    const endpoint = 'GET /ledger';
    if (entries) {
      const listing: EntryListing = { endpoint, query, items: (ledgerPage) => ledgerPage.entries };
      return list(ENTRY_VIEW, tailOf(sandbox, listing, tail));
    }
    if (tail !== undefined) throw flagInvalid('--tail', 'it belongs to --entries');
    const { balances } = await sandbox.call({ endpoint, query: { ...query, limit: 1 } });
    return list(BALANCE_VIEW, balances);
  },
});

const WALLET_VIEW: ListView<AdminWallet> = {
  schema: 'bursar.sandbox-wallets/v1',
  name: 'wallets',
  lineSchema: 'bursar.sandbox-wallet/v1',
  columns: [
    { title: 'BLOCKCHAIN', width: 10, cell: (of) => of.blockchain },
    { title: 'ADDRESS', width: 44, cell: (of) => of.address },
    { title: 'NAME', width: 20, cell: (of) => of.name },
    { title: 'ACCOUNT', width: 42, cell: (of) => of.account },
    { title: 'BALANCES', width: 0, cell: (of) => balancesText(of.balances) },
  ],
};

const balancesText = (balances: AdminWallet['balances']): string =>
  balances.map(({ amount, currency }) => `${amount} ${currency}`).join(', ');

type WalletListing = SandboxListing<'GET /wallets', AdminWallet>;

const wallets = sandboxOperation({
  name: 'wallets',
  summary: 'list the settlement wallets with their balances',
  fields: {
    ...tailFields,
    ...onlyAccount,
  },
  async run({ tail, ...query }, sandbox) {
    const listing: WalletListing = {
      endpoint: 'GET /wallets',
      query,
      items: (page) => page.wallets,
    };
    return list(WALLET_VIEW, tailOf(sandbox, listing, tail));
  },
});

const MOVEMENT_VIEW: ListView<AdminMovement> = {
  schema: 'bursar.sandbox-movements/v1',
  name: 'movements',
  lineSchema: 'bursar.sandbox-movement/v1',
  columns: [
    { title: 'N', width: 6, right: true, cell: (of) => of.n },
    { title: 'CODE', width: 26, cell: (of) => of.opCode },
    { title: 'TRANSACTIONS', width: 12, right: true, cell: (of) => of.transactions },
    { title: 'AMOUNT', width: 16, right: true, cell: (of) => of.amount },
    { title: 'FEE', width: 12, right: true, cell: (of) => of.fee },
    { title: 'CURRENCY', width: 12, cell: (of) => of.currency },
    { title: 'MASS PAYOUT', width: 36, cell: (of) => of.massPayoutId },
    { title: 'TIME', width: 0, cell: (of) => ({ moment: of.time }) },
  ],
};

type MovementListing = SandboxListing<'GET /movements', AdminMovement>;

const movements = sandboxOperation({
  name: 'movements',
  summary: 'list what happened on the network: top-ups, and withdrawals that were paid, in sums',
  fields: {
    ...tailFields,
    ...onlyAccount,
  },
  async run({ tail, ...query }, sandbox) {
    const listing: MovementListing = {
      endpoint: 'GET /movements',
      query,
      items: (page) => page.movements,
    };
    return list(MOVEMENT_VIEW, tailOf(sandbox, listing, tail));
  },
});

/** Commands that run a sandbox, and that read its state. */
export const LOOKING_OPERATIONS: OperationSection = {
  heading: 'Running and looking:',
  operations: [start, status, console, openapi, log, ledger, wallets, movements],
};
