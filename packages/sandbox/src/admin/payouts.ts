import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { listOf, NextItem, NullableText } from './values.ts';

const State = z.enum(PAYOUT_STATES);

export const AdminMassPayout = z.object({
  n: z.int(),
  id: z.string(),
  account: z.string(),
  state: State,
  idempotencyKey: z.string(),
  externalId: NullableText,
  name: NullableText,
  comment: NullableText,
  currency: z.string(),
  /** How many withdrawals it has. */
  withdrawals: z.int(),
  totalAmount: z.string(),
  totalFee: z.string(),
  /** How many people confirmed it. */
  confirmations: z.int(),
  executionDate: NullableText,
  createdDate: z.string(),
  endedDate: NullableText,
  nextStepDate: NullableText,
});
export type AdminMassPayout = z.output<typeof AdminMassPayout>;

export const AdminMassPayouts = z.object({
  massPayouts: listOf(AdminMassPayout),
  next: NextItem,
});

/** One line of GET /sandbox/payouts: a withdrawal with the facts of its mass payout. */
export const AdminPayoutLine = z.object({
  withdrawalId: z.string(),
  massPayoutId: z.string(),
  idempotencyKey: z.string(),
  externalId: NullableText,
  account: z.string(),
  currency: z.string(),
  depositAddress: z.string(),
  amount: z.string(),
  fee: z.string(),
  comment: NullableText,
  state: State,
  errorMessage: NullableText,
  errorResolved: z.boolean().nullable(),
  massPayoutState: State,
});
export type AdminPayoutLine = z.output<typeof AdminPayoutLine>;

export const AdminWithdrawal = z.object({
  /** Its position in the mass payout, from 1. */
  position: z.int(),
  ...AdminPayoutLine.shape,
  /** Null until the withdrawal is paid. */
  transactionHash: NullableText,
});
export type AdminWithdrawal = z.output<typeof AdminWithdrawal>;

export const AdminWithdrawals = z.object({
  massPayout: AdminMassPayout,
  /** How many withdrawals failed and can be sent again. */
  failed: z.int(),
  withdrawals: listOf(AdminWithdrawal),
  next: NextItem,
});
export type AdminWithdrawals = z.output<typeof AdminWithdrawals>;
