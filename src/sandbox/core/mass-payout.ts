import { createHash } from 'node:crypto';
import type { PayoutState } from '../../spec/states.ts';
import type { Decimal } from './decimal.ts';
import { type FateCode, isFateOf } from './fates.ts';
import type { Tariff } from './tariff.ts';

/**
 * What a create request asks for, after its fields were checked. Spec: "Mass payout create
 * payload".
 */
export type MassPayoutRequest = Readonly<{
  currency: string;
  idempotencyKey: string;
  name: string | null;
  comment: string | null;
  externalId: string | null;
  /** As it was written in the request, to be answered unchanged. */
  executionDate: string | null;
  withdrawals: readonly WithdrawalRequest[];
}>;

export type WithdrawalRequest = Readonly<{
  depositAddress: string;
  amount: Decimal;
  comment: string | null;
  fate: FateCode | null;
}>;

/**
 * A mass payout without its withdrawals. The tariff is the one of its creation and never changes.
 */
export type MassPayout = Readonly<{
  id: string;
  account: string;
  state: PayoutState;
  createdMs: number;
  /** When the next step of the walk is due; null when nothing more happens by itself. */
  dueMs: number | null;
  currency: string;
  idempotencyKey: string;
  name: string | null;
  comment: string | null;
  externalId: string | null;
  executionDate: string | null;
  withdrawalsCount: number;
  totalAmount: Decimal;
  totalFee: Decimal;
  tariff: Tariff;
}>;

/**
 * One withdrawal as it was asked for; what became of it follows from its mass payout and its
 * failure.
 */
export type Withdrawal = WithdrawalRequest & Readonly<{ position: number }>;

/** Why a withdrawal failed; `resolved` once it was sent again with success. */
export type WithdrawalFailure = Readonly<{
  errorId: number;
  position: number;
  message: string;
  resolved: boolean;
}>;

/** Position counts from 1 in the order of the request. */
export const withdrawalId = (massPayoutId: string, position: number): string =>
  `${massPayoutId}-${position}`;

export function parseWithdrawalId(id: string): { massPayoutId: string; position: number } | null {
  const match = /^(.{36})-([1-9]\d{0,8})$/.exec(id);
  if (match === null) return null;
  return { massPayoutId: match[1] ?? '', position: Number.parseInt(match[2] ?? '', 10) };
}

/**
 * ASSUMED: no state of a single withdrawal is shown. It follows its mass payout until that has
 * ended.
 */
export function withdrawalState(
  massPayoutState: PayoutState,
  withdrawal: Withdrawal,
  failure: WithdrawalFailure | null,
): PayoutState {
  switch (massPayoutState) {
    case 'WAITING_COMPLETION_ERRORS':
      return isFateOf('WAIT', withdrawal.fate) ? 'WAITING_COMPLETION_ERRORS' : 'IN_PROGRESS';
    case 'PARTIAL':
    case 'FAILED':
    case 'COMPLETED':
      return failure === null || failure.resolved ? 'COMPLETED' : 'FAILED';
    default:
      return massPayoutState;
  }
}

/** A made-up hash of a transaction on no network; the same for the same withdrawal, always. */
export const transactionHash = (id: string): string =>
  createHash('sha256').update(`transaction of ${id}`).digest('hex');
