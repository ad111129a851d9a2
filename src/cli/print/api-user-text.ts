import type { User } from '@bursar/merchant-api';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';
import { recordText } from './record-text.ts';

/** Whom a key belongs to, with accounts and permissions, for people. */
export function userText(user: User, context: Pick<Context, 'clock' | 'colours'>): string {
  const { userFullInfo, availableAccounts, permissions } = user;
  const { id, ...rest } = userFullInfo;
  return [
    recordText(`User ${id}`, rest, context),
    ...accountLines(availableAccounts),
    ...permissionLines(permissions),
  ].join('\n');
}

function accountLines(accounts: User['availableAccounts']): string[] {
  const table = createTable([
    { title: 'ACCOUNT', width: 42 },
    { title: 'NAME', width: 0 },
  ]);
  return [
    table.header(),
    ...accounts.map(({ account, name }) => table.row([account, name].map(printable))),
  ];
}

function permissionLines(permissions: User['permissions']): string[] {
  const table = createTable([
    { title: 'PERMISSIONS ON', width: 42 },
    { title: 'GROUP', width: 20 },
    { title: 'DATA', width: 0 },
  ]);
  const rows = permissions.flatMap(({ accountId, permissionGroups }) =>
    permissionGroups.map(({ groupId, name, permissionData }) =>
      table.row([accountId, `${groupId} ${name}`, dataText(permissionData)].map(printable)),
    ),
  );
  return rows.length === 0 ? [] : [table.header(), ...rows];
}

const dataText = (data: Readonly<Record<string, string>>): string =>
  Object.entries(data)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
