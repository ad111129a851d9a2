import { z } from 'zod';
import { formatDecimal } from '../../core/decimal.ts';
import { Refused } from '../../core/refusals.ts';
import type { Store } from '../../store/store.ts';
import { PositiveDecimalText, RequiredText } from '../fields.ts';
import { adminRoute } from './route.ts';

export type TopUpDeps = Readonly<{
  store: Pick<Store, 'ledger' | 'transaction'>;
  accounts: readonly string[];
  nowMs: () => number;
}>;

/**
 * POST /sandbox/top-up: adds money to a balance; the account may be left out where there is only
 * one.
 */
export const topUpRoute = ({ store, accounts, nowMs }: TopUpDeps) =>
  adminRoute({
    method: 'POST',
    path: '/sandbox/top-up',
    input: z.strictObject({
      account: z.string().optional(),
      currency: RequiredText,
      amount: PositiveDecimalText,
    }),
    answer: ({ account: named, currency, amount }) => {
      const account = chooseAccount(named, accounts);
      const place = { account, currency, massPayoutId: null, withdrawalId: null };
      store.transaction(() =>
        store.ledger.post([{ ...place, atMs: nowMs(), kind: 'TOP_UP', amount }]),
      );
      return {
        account,
        currency,
        balance: formatDecimal(store.ledger.balanceOf(account, currency)),
      };
    },
  });

function chooseAccount(named: string | undefined, accounts: readonly string[]): string {
  const [only, another] = accounts;
  if (named === undefined && only !== undefined && another === undefined) return only;
  if (named === undefined) throw new Refused('FIELD_INVALID', 'account: there are several');
  if (!accounts.includes(named)) throw new Refused('FIELD_INVALID', 'account: is unknown');
  return named;
}
