import { z } from 'zod';
import { accountNameOf, ownerIdOf } from '../../core/accounts.ts';
import type { Balance, SandboxLedger } from '../../store/ledger.ts';
import { exactNumber, type ExactJsonValue } from '../exact-json.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';

export const AccountBody = z.strictObject({ timestamp: Timestamp, account: AccountId });

type Made = Readonly<{ balances: readonly Balance[]; answer: ExactJsonValue }>;

/** Spec: "Endpoints", POST /api/v1/account. The answer is cached until the balances change. */
export function accountOperation(ledger: SandboxLedger) {
  const latest = new Map<string, Made>();
  return serveOperation({
    body: AccountBody,
    writes: false,
    answer({ body: { account } }) {
      const balances = ledger.balances(account);
      const known = latest.get(account);
      if (known?.balances === balances) return known.answer;
      const answer = answerOf(account, balances);
      latest.set(account, { balances, answer });
      return answer;
    },
  });
}

const answerOf = (account: string, balances: readonly Balance[]): ExactJsonValue => ({
  account,
  name: accountNameOf(account),
  ownerId: ownerIdOf(account),
  balances: balances.map(({ currency, amount }) => ({ currency, amount: exactNumber(amount) })),
});
