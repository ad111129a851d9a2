import { z } from 'zod';
import { type Confirmations, PEOPLE_MAX } from '../../confirmations.ts';
import { accountNameOf } from '../../core/accounts.ts';
import { Text } from '../fields.ts';
import { chooseAccount } from './choose-account.ts';
import { type AdminRoute, type AdminValue, adminRoute, Nothing } from './route.ts';

const PATH = '/sandbox/accounts';

export type AccountRoutesDeps = Readonly<{
  accounts: readonly string[];
  confirmations: Confirmations;
}>;

/** GET and POST /sandbox/accounts: the accounts, and how many people confirm their mass payouts. */
export function accountRoutes({ accounts, confirmations }: AccountRoutesDeps): AdminRoute[] {
  const lineOf = (account: string): AdminValue => ({
    account,
    name: accountNameOf(account),
    confirmations: confirmations.of(account),
  });
  return [
    adminRoute({
      method: 'GET',
      path: PATH,
      input: Nothing,
      answer: () => ({ accounts: accounts.map(lineOf) }),
    }),
    adminRoute({
      method: 'POST',
      path: PATH,
      input: z.strictObject({
        account: Text.optional(),
        confirmations: z.int().min(0).max(PEOPLE_MAX).nullable(),
      }),
      answer: ({ account: named, confirmations: people }) => {
        const account = chooseAccount(named, accounts);
        confirmations.change(account, people);
        return lineOf(account);
      },
    }),
  ];
}
