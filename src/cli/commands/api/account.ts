import type { Balances, FeeItem, FeeQuote, User } from '@bursar/merchant-api';
import { FEE_OPERATION_TYPES, FEE_TYPES } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { type OperationColumn, tableText } from '../../operation-table/printout.ts';
import { flag, optionalFlag } from '../../operation-table/operation.ts';
import { openText, recordText, unreadableText } from '../../print/record-text.ts';
import { printable } from '../../terminal/printable.ts';
import { amount, currency, instant, text } from './fields.ts';
import { apiRecord } from './operations.ts';

const BALANCE_COLUMNS: readonly OperationColumn<Balances['balances'][number]>[] = [
  { title: 'AMOUNT', width: 24, right: true, cell: (of) => of.amount },
  { title: 'CURRENCY', width: 0, cell: (of) => of.currency },
];

const FEE_COLUMNS: readonly OperationColumn<FeeQuote>[] = [
  { title: 'AMOUNT', width: 16, right: true, cell: (of) => of.amount },
  { title: 'CURRENCY', width: 11, cell: (of) => of.currency },
  { title: 'OPERATION', width: 10, cell: (of) => of.opType },
  { title: 'FEE OF SENDER', width: 16, right: true, cell: (of) => of.feeSender.fee },
  { title: 'FEE OF RECEIVER', width: 16, right: true, cell: (of) => of.feeReceiver.fee },
];

const opType = z.enum(FEE_OPERATION_TYPES).default('WITHDRAWAL');
const feeType = z.enum(FEE_TYPES).default('SERVICE');

const feeFields = {
  baseAmount: flag('--amount <amount>', 'amount to price', amount),
  currency: flag('--currency <currency>', 'its currency', currency),
  opType: flag('--op <type>', `one of ${FEE_OPERATION_TYPES.join(', ')}`, opType),
  feeType: flag('--fee-type <type>', `one of ${FEE_TYPES.join(', ')}`, feeType),
};

const FeeItems = z
  .array(z.strictObject(feeFields), { error: 'must be a list' })
  .min(1, { error: 'must not be empty' });

const ACCOUNT_COLUMNS: readonly OperationColumn<User['availableAccounts'][number]>[] = [
  { title: 'ACCOUNT', width: 42, cell: (of) => of.account },
  { title: 'NAME', width: 0, cell: (of) => of.name },
];

type Permission = User['permissions'][number];
type PermissionRow = Permission & Readonly<{ group: Permission['permissionGroups'][number] }>;

const PERMISSION_COLUMNS: readonly OperationColumn<PermissionRow>[] = [
  { title: 'PERMISSIONS ON', width: 42, cell: (of) => of.accountId },
  { title: 'GROUP', width: 20, cell: ({ group }) => `${group.groupId} ${group.name}` },
  { title: 'DATA', width: 0, cell: ({ group }) => pairsText(group.permissionData) },
];

const pairsText = (data: Readonly<Record<string, string>>): string =>
  Object.entries(data)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

function userText(value: User, context: Context): string {
  const { id, ...rest } = value.userFullInfo;
  const permissions = value.permissions.flatMap((permission) =>
    permission.permissionGroups.map((group) => ({ ...permission, group })),
  );
  return [
    recordText(`User ${id}`, rest, context),
    tableText(ACCOUNT_COLUMNS, value.availableAccounts, context),
    ...(permissions.length === 0 ? [] : [tableText(PERMISSION_COLUMNS, permissions, context)]),
  ].join('\n');
}

/** Operations on the account as a whole. */
export const ACCOUNT_OPERATIONS = [
  apiRecord({
    name: 'balance',
    summary: 'read the balances of the account',
    schema: 'bursar.api-balance/v1',
    call: (api) => api.readBalance(),
    text({ account = 'without an id', name = 'no name', balances, unreadableParts }, context) {
      const title = printable(`Account ${account} (${name})`);
      const table = tableText(BALANCE_COLUMNS, balances, context);
      const unread = unreadableParts.length === 0 ? [] : [unreadableText(unreadableParts)];
      return [title, table, ...unread].join('\n');
    },
  }),
  // Flags price one amount, a payload prices several.
  apiRecord({
    name: 'fees',
    summary: 'show the fees that the service would charge',
    fields: feeFields,
    payload: 'payload, such as {"items":[{"baseAmount":"12.5","currency":"BTC"}]}',
    payloadSchema: z.strictObject({ items: FeeItems }),
    schema: 'bursar.api-fees/v1',
    async call(api, given: FeeItem | Readonly<{ items: readonly FeeItem[] }>) {
      const answer = await api.calculateFees({ items: 'items' in given ? given.items : [given] });
      return { ...answer, value: { items: answer.value } };
    },
    text: ({ items }, context) => tableText(FEE_COLUMNS, items, context),
  }),
  apiRecord({
    name: 'report',
    summary: 'request a report over blockchains and dates',
    fields: {
      firstDate: flag(
        '--from <instant>',
        'first date and time, such as 2026-10-01T00:00:00+02:00',
        instant,
      ),
      lastDate: flag('--to <instant>', 'last date and time', instant),
      blockchainList: flag('--blockchains <names>', 'one text; sent as it is typed', text),
      // The client makes the service's `zoneOffset` of it.
      zone: optionalFlag(
        '--zone <zone>',
        'an offset or a zone such as Europe/Berlin (yours by default)',
        text,
      ),
    },
    payload: 'payload: firstDate, lastDate, blockchainList, zone',
    schema: 'bursar.api-report/v1',
    call: (api, { zone, ...dates }, { clock }) =>
      api.requestReport({ ...dates, zone: zone ?? clock.timeZone }),
    text: ({ content }) => openText(content),
  }),
  apiRecord({
    name: 'user',
    summary: 'read whom the key belongs to, its accounts and its permissions',
    schema: 'bursar.api-user/v1',
    call: (api) => api.readUser(),
    text: userText,
  }),
];
