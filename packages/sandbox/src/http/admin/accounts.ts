import type { AdminAccount, AdminAnswer } from '../../admin/index.ts';
import { z } from 'zod';
import { type Confirmations, PEOPLE_MAX } from '../../confirmations.ts';
import { accountNameOf } from '../../core/accounts.ts';
import { Text } from '../fields.ts';
import { chooseAccount } from './choose-account.ts';
import { type AdminRoute, adminRoute, Nothing } from './route.ts';

export type AccountRoutesDeps = Readonly<{
  accounts: readonly string[];
  confirmations: Confirmations;
}>;

/**
 * GET and POST /sandbox/accounts: the accounts, and how many people must confirm their mass
 * payouts.
 */
export function accountRoutes({ accounts, confirmations }: AccountRoutesDeps): AdminRoute[] {
  const lineOf = (account: string): AdminAccount => ({
    account,
    name: accountNameOf(account),
    confirmations: confirmations.of(account),
  });
  return [
    adminRoute({
      endpoint: 'GET /accounts',
      input: Nothing,
      answer: (): AdminAnswer<'GET /accounts'> => ({ accounts: accounts.map(lineOf) }),
    }),
    adminRoute({
      endpoint: 'POST /accounts',
      input: z.strictObject({
        account: Text.optional(),
        confirmations: z.int().min(0).max(PEOPLE_MAX).nullable(),
      }),
      answer: ({ account: named, confirmations: people }): AdminAnswer<'POST /accounts'> => {
        const account = chooseAccount(named, accounts);
        confirmations.change(account, people);
        return lineOf(account);
      },
    }),
  ];
}
