import { createHash } from 'node:crypto';
import type { PayoutState } from '@bursar/merchant-api/spec';
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
export type SandboxMassPayout = Readonly<{
  id: string;
  account: string;
  state: PayoutState;
  createdMs: number;
  /** When the next step of the walk is due; null when nothing more happens by itself. */
  dueMs: number | null;
  /**
   * When it ended for the first time. What was paid then stays paid when a person sends the rest
   * again.
   */
  endedMs: number | null;
  /** How many people have confirmed it. */
  confirmations: number;
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

/** What became of a failed withdrawal: it stays failed, it was sent again, and then it was paid. */
export type FailureStatus = 'FAILED' | 'RESENT' | 'RESOLVED';

/** Why a withdrawal failed. */
export type WithdrawalFailure = Readonly<{
  errorId: number;
  position: number;
  message: string;
  status: FailureStatus;
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
  { state, endedMs }: Pick<SandboxMassPayout, 'state' | 'endedMs'>,
  withdrawal: Withdrawal,
  failure: WithdrawalFailure | null,
): PayoutState {
  if (endedMs !== null) return failure === null ? 'COMPLETED' : FAILURE_STATES[failure.status];
  if (state !== 'WAITING_COMPLETION_ERRORS') return state;
  const isWaiting = isFateOf('WAIT', withdrawal.fate) || isFateOf('HOLD', withdrawal.fate);
  return isWaiting ? state : 'IN_PROGRESS';
}

const FAILURE_STATES: Readonly<Record<FailureStatus, PayoutState>> = {
  FAILED: 'FAILED',
  RESENT: 'IN_PROGRESS',
  RESOLVED: 'COMPLETED',
};

/**
 * A made-up hash of a transaction on no network; the same for the same withdrawal or top-up,
 * always.
 */
export const transactionHash = (id: string): string =>
  createHash('sha256').update(`transaction of ${id}`).digest('hex');
