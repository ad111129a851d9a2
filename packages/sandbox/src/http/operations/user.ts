import { z } from 'zod';
import { accountNameOf, PERMISSION_GROUPS, userOf } from '../../core/accounts.ts';
import { Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';

export const UserBody = z.strictObject({ timestamp: Timestamp });

/** Spec: "User, company and permissions", PGCompanyUserFullInfoDTO. */
export const userOperation = () =>
  serveOperation({
    body: UserBody,
    writes: false,
    answer: ({ accounts }) => ({
      userFullInfo: userOf(accounts[0] ?? ''),
      permissions: accounts.map((account) => ({
        accountId: account,
        accountName: accountNameOf(account),
        permissionGroups: PERMISSION_GROUPS,
      })),
      availableAccounts: accounts.map((account) => ({ account, name: accountNameOf(account) })),
    }),
  });
