import { createHash } from 'node:crypto';
import type { PayoutState } from '@bursar/merchant-api/spec';
import type { Decimal } from './decimal.ts';
import { type FateCode, isFateOf } from './fates.ts';
import type { Tariff } from './tariff.ts';

/** A create request whose fields were checked. Spec: "Mass payout create payload". */
export type MassPayoutRequest = Readonly<{
  currency: string;
  idempotencyKey: string;
  name: string | null;
  comment: string | null;
  externalId: string | null;
  /** The text of the request. Answers repeat it unchanged. */
  executionDate: string | null;
  withdrawals: readonly WithdrawalRequest[];
}>;

export type WithdrawalRequest = Readonly<{
  depositAddress: string;
  amount: Decimal;
  comment: string | null;
  fate: FateCode | null;
}>;

/** A mass payout without its withdrawals. It keeps the tariff of its creation. */
export type SandboxMassPayout = Readonly<{
  id: string;
  account: string;
  state: PayoutState;
  createdMs: number;
  /** When the next step is due. Null: only a person can change the state. */
  dueMs: number | null;
  /**
   * When it ended for the first time. Withdrawals that were paid then stay paid when a person
   * resends the others.
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

/** One withdrawal of the request. Its result follows from its mass payout and its failure. */
export type Withdrawal = WithdrawalRequest & Readonly<{ position: number }>;

/** FAILED: it stays failed. RESENT: it was sent again. RESOLVED: it was paid after that. */
export type FailureStatus = 'FAILED' | 'RESENT' | 'RESOLVED';

/** The failure of one withdrawal. */
export type WithdrawalFailure = Readonly<{
  errorId: number;
  position: number;
  message: string;
  status: FailureStatus;
}>;

/** `position` counts from 1 in the order of the request. */
export const withdrawalId = (massPayoutId: string, position: number): string =>
  `${massPayoutId}-${position}`;

export function parseWithdrawalId(id: string): { massPayoutId: string; position: number } | null {
  const match = /^(.{36})-([1-9]\d{0,8})$/.exec(id);
  if (match === null) return null;
  return { massPayoutId: match[1] ?? '', position: Number.parseInt(match[2] ?? '', 10) };
}

/**
 * Returns the state of one withdrawal.
 * ASSUMED: the spec shows no state of a single withdrawal. Here it follows its mass payout until
 * that has ended.
 */
export function withdrawalState(
  { state, endedMs }: SandboxMassPayout,
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
 * Returns an invented transaction hash. The same withdrawal or top-up always gets the same hash.
 */
export const transactionHash = (id: string): string =>
  createHash('sha256').update(`transaction of ${id}`).digest('hex');
