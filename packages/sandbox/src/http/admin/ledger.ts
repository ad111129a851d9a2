import type { AdminAnswer, AdminBalance, AdminLedgerEntry } from '../../admin/index.ts';
import { z } from 'zod';
import { add, formatDecimal } from '../../core/decimal.ts';
import type { Balance, SandboxLedger, NumberedEntry } from '../../store/ledger.ts';
import { adminRoute, PageQuery } from './route.ts';
import { isoTime } from './times.ts';

/**
 * GET /sandbox/ledger: every balance with the check against its entries, and a page of the entries.
 */
export const ledgerRoute = (ledger: SandboxLedger) =>
  adminRoute({
    endpoint: 'GET /ledger',
    input: z.strictObject({
      account: z.string().optional(),
      currency: z.string().optional(),
      ...PageQuery,
    }),
    answer: ({ account, currency, after, limit }): AdminAnswer<'GET /ledger'> => {
      const entries = ledger.page({ afterN: after, limit, account, currency });
      return {
        balances: ledger
          .balances(account)
          .filter((balance) => currency === undefined || balance.currency === currency)
          .map((balance) => balanceRecord(ledger, balance)),
        entries: entries.map(entryRecord),
        next: entries.length === limit ? (entries.at(-1)?.n ?? null) : null,
      };
    },
  });

function balanceRecord(
  ledger: SandboxLedger,
  { account, currency, opening, amount }: Balance,
): AdminBalance {
  const sum = ledger.sumOf(account, currency);
  const balance = formatDecimal(amount);
  return {
    account,
    currency,
    opening: formatDecimal(opening),
    sum: formatDecimal(sum),
    balance,
    tiesOut: formatDecimal(add(opening, sum)) === balance,
  };
}

const entryRecord = (entry: NumberedEntry): AdminLedgerEntry => ({
  n: entry.n,
  time: isoTime(entry.atMs),
  account: entry.account,
  currency: entry.currency,
  kind: entry.kind,
  amount: formatDecimal(entry.amount),
  massPayoutId: entry.massPayoutId,
  withdrawalId: entry.withdrawalId,
});
