import { z } from 'zod';
import { accountNameOf, ownerIdOf } from '../../core/accounts.ts';
import type { Ledger } from '../../store/ledger.ts';
import { exactNumber } from '../exact-json.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';

/** Spec: "Endpoints", POST /api/v1/account. */
export const accountOperation = (ledger: Pick<Ledger, 'balances'>) =>
  serveOperation({
    body: z.strictObject({ timestamp: Timestamp, account: AccountId }),
    writes: false,
    answer: ({ body: { account } }) => ({
      account,
      name: accountNameOf(account),
      ownerId: ownerIdOf(account),
      balances: ledger.balances(account).map(({ currency, amount }) => ({
        currency,
        amount: exactNumber(amount),
      })),
    }),
  });
