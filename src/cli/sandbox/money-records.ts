import { z } from 'zod';
import { pageOf } from './pages.ts';

const nullableText = z.string().nullable();

export const Balance = z.object({
  account: z.string(),
  currency: z.string(),
  opening: z.string(),
  sum: z.string(),
  balance: z.string(),
  tiesOut: z.boolean(),
});
export type Balance = z.output<typeof Balance>;

export const LedgerEntry = z.object({
  n: z.int(),
  time: z.string(),
  account: z.string(),
  currency: z.string(),
  kind: z.string(),
  amount: z.string(),
  massPayoutId: nullableText,
  withdrawalId: nullableText,
});
export type LedgerEntry = z.output<typeof LedgerEntry>;

export const Balances = z.object({ balances: z.array(Balance) });
export const LedgerPage = pageOf('entries', LedgerEntry);

export const MassPayout = z.object({
  n: z.int(),
  id: z.string(),
  account: z.string(),
  state: z.string(),
  idempotencyKey: z.string(),
  externalId: nullableText,
  name: nullableText,
  comment: nullableText,
  currency: z.string(),
  withdrawals: z.int(),
  totalAmount: z.string(),
  totalFee: z.string(),
  confirmations: z.int(),
  executionDate: nullableText,
  createdDate: z.string(),
  endedDate: nullableText,
  nextStepDate: nullableText,
});
export type MassPayout = z.output<typeof MassPayout>;

export const MassPayoutPage = pageOf('massPayouts', MassPayout);

export const Withdrawal = z.object({
  position: z.int(),
  withdrawalId: z.string(),
  depositAddress: z.string(),
  amount: z.string(),
  fee: z.string(),
  comment: nullableText,
  state: z.string(),
  errorMessage: nullableText,
  errorResolved: z.boolean().nullable(),
});
export type Withdrawal = z.output<typeof Withdrawal>;

export const WithdrawalPage = pageOf('withdrawals', Withdrawal);
export const MassPayoutOf = z.object({ massPayout: MassPayout });

export const ToppedUp = z.object({
  account: z.string(),
  currency: z.string(),
  balance: z.string(),
});

export const Wallet = z.object({
  n: z.int(),
  account: z.string(),
  name: nullableText,
  address: z.string(),
  blockchain: z.string(),
  balances: z.array(z.object({ currency: z.string(), amount: z.string(), token: z.boolean() })),
});
export type Wallet = z.output<typeof Wallet>;

export const WalletPage = pageOf('wallets', Wallet);

export const Account = z.object({
  account: z.string(),
  name: z.string(),
  confirmations: z.int(),
});
export type Account = z.output<typeof Account>;

export const Accounts = z.object({ accounts: z.array(Account) });

export const Tariff = z.object({
  currency: z.string(),
  percent: z.string(),
  fix: z.string(),
  min: z.string(),
});
export type Tariff = z.output<typeof Tariff>;

export const Tariffs = z.object({ tariffs: z.array(Tariff) });
export type Tariffs = z.output<typeof Tariffs>;

/** A top-up, or the withdrawals of one mass payout that were paid at one moment. */
export const Movement = z.object({
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
  massPayoutId: nullableText,
});
export type Movement = z.output<typeof Movement>;

export const MovementPage = pageOf('movements', Movement);
