import { OPERATIONS } from '@bursar/merchant-api/spec';
import type {
  AdminBalance,
  AdminLedgerEntry,
  AdminMovement,
  AdminRequest,
  AdminWallet,
} from '@bursar/sandbox/admin';
import { z } from 'zod';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { optionalFlag } from '../../command-table/flag.ts';
import type { OperationCommand } from '../../command-table/operation-command.ts';
import { list } from '../../command-table/printout.ts';
import { balancesText } from '../../print/record-text.ts';
import { followFrom, followPause, type SandboxPages } from '../../sandbox/pages.ts';
import { fromOneUp, oneOf, onlyAccount, tailFields, text } from './fields.ts';
import { refuseEndlessJson, sandboxOperation, TAIL_DEFAULT, tailList } from './operations.ts';

const LOG_VIEW: SandboxPages<'requests', AdminRequest> = {
  endpoint: 'GET /requests',
  schema: 'bursar.sandbox-log/v1',
  name: 'requests',
  lineSchema: 'bursar.sandbox-request/v1',
  columns: [
    { title: 'N', width: 6, right: true, cell: (of) => of.n },
    { title: 'OPERATION', width: 16, cell: (of) => of.operation },
    { title: 'STATUS', width: 6, right: true, cell: (of) => of.status },
    { title: 'ERROR', width: 24, cell: (of) => of.errorCode },
    { title: 'OBJECT', width: 36, cell: (of) => of.objectId },
    { title: 'KEY', width: 36, cell: (of) => of.idempotencyKey },
    { title: 'FAULT', width: 16, cell: (of) => of.fault },
    { title: 'TIME', width: 0, cell: (of) => ({ moment: of.time }) },
  ],
};

const log = sandboxOperation({
  name: 'log',
  summary: 'list the requests to the operations, the latest last',
  fields: {
    ...tailFields,
    operation: optionalFlag(
      '--operation <operation>',
      'only requests to this operation, such as MASS_CREATE',
      oneOf(OPERATIONS),
    ),
    status: optionalFlag('--status <status>', 'only requests with this HTTP status', fromOneUp),
    idempotencyKey: optionalFlag('--key <uuid>', 'only requests with this idempotency key', text),
    since: optionalFlag(
      '--since <instant>',
      'only requests from then on, such as 2026-12-01T09:00:00Z',
      text,
    ),
    follow: optionalFlag(
      '-f, --follow',
      'go on with the requests that come, until Ctrl-C',
      z.boolean(),
    ),
  },
  async run({ follow, ...given }, sandbox, context) {
    if (!follow) return tailList(sandbox, LOG_VIEW, given);
    refuseEndlessJson(context);
    const { tail: count = TAIL_DEFAULT, ...query } = given;
    const pause = followPause(context);
    return list(LOG_VIEW, followFrom(sandbox, { view: LOG_VIEW, query }, { count, pause }));
  },
});

const BALANCE_VIEW: SandboxPages<'balances', AdminBalance> = {
  endpoint: 'GET /ledger',
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

const ENTRY_VIEW: SandboxPages<'entries', AdminLedgerEntry> = {
  endpoint: 'GET /ledger',
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
    if (entries) return tailList(sandbox, ENTRY_VIEW, { tail, ...query });
    if (tail !== undefined) throw flagInvalid('--tail', 'it belongs to --entries');
    const { balances } = await sandbox.call('GET /ledger', { ...query, limit: 1 });
    return list(BALANCE_VIEW, balances);
  },
});

const WALLET_VIEW: SandboxPages<'wallets', AdminWallet> = {
  endpoint: 'GET /wallets',
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

const wallets = sandboxOperation({
  name: 'wallets',
  summary: 'list the settlement wallets with their balances',
  fields: { ...tailFields, ...onlyAccount },
  run: async (given, sandbox) => tailList(sandbox, WALLET_VIEW, given),
});

const MOVEMENT_VIEW: SandboxPages<'movements', AdminMovement> = {
  endpoint: 'GET /movements',
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

const movements = sandboxOperation({
  name: 'movements',
  summary: 'list what happened on the network: top-ups, and withdrawals that were paid, in sums',
  fields: { ...tailFields, ...onlyAccount },
  run: async (given, sandbox) => tailList(sandbox, MOVEMENT_VIEW, given),
});

/** Commands that read the lists of a sandbox. */
export const LIST_COMMANDS: readonly OperationCommand[] = [log, ledger, wallets, movements];
