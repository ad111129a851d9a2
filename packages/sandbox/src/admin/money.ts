import { z } from 'zod';
import { listOf, NextItem, NullableText } from './values.ts';

/** Amounts are decimal text. Times are ISO 8601 in UTC. */
export const AdminBalance = z.object({
  account: z.string(),
  currency: z.string(),
  opening: z.string(),
  /** The sum of the ledger's entries. */
  sum: z.string(),
  balance: z.string(),
  /** Whether `opening` and `sum` make `balance`. */
  tiesOut: z.boolean(),
});
export type AdminBalance = z.output<typeof AdminBalance>;

export const AdminLedgerEntry = z.object({
  n: z.int(),
  time: z.string(),
  account: z.string(),
  currency: z.string(),
  kind: z.string(),
  amount: z.string(),
  massPayoutId: NullableText,
  withdrawalId: NullableText,
});
export type AdminLedgerEntry = z.output<typeof AdminLedgerEntry>;

export const AdminLedger = z.object({
  balances: listOf(AdminBalance),
  entries: listOf(AdminLedgerEntry),
  next: NextItem,
});

/** The balance of an account after a top-up. */
export const AdminTopUp = z.object({
  account: z.string(),
  currency: z.string(),
  balance: z.string(),
});

export const AdminAccount = z.object({
  account: z.string(),
  name: z.string(),
  /** How many people must confirm each mass payout. */
  confirmations: z.int(),
});
export type AdminAccount = z.output<typeof AdminAccount>;

export const AdminAccounts = z.object({ accounts: listOf(AdminAccount) });

export const AdminTariff = z.object({
  currency: z.string(),
  percent: z.string(),
  fix: z.string(),
  min: z.string(),
});
export type AdminTariff = z.output<typeof AdminTariff>;

export const AdminTariffs = z.object({ tariffs: listOf(AdminTariff) });

export const AdminWallet = z.object({
  n: z.int(),
  account: z.string(),
  name: z.string(),
  address: z.string(),
  blockchain: z.string(),
  balances: listOf(z.object({ currency: z.string(), amount: z.string(), token: z.boolean() })),
});
export type AdminWallet = z.output<typeof AdminWallet>;

export const AdminWallets = z.object({ wallets: listOf(AdminWallet), next: NextItem });
export type AdminWallets = z.output<typeof AdminWallets>;

/** One top-up, or the withdrawals of one mass payout that were paid at one moment. */
export const AdminMovement = z.object({
  n: z.int(),
  time: z.string(),
  account: z.string(),
  walletAddress: z.string(),
  currency: z.string(),
  opCode: z.string(),
  isResend: z.boolean(),
  transactions: z.int(),
  amount: z.string(),
  fee: z.string(),
  massPayoutId: NullableText,
});
export type AdminMovement = z.output<typeof AdminMovement>;

export const AdminMovements = z.object({ movements: listOf(AdminMovement), next: NextItem });
