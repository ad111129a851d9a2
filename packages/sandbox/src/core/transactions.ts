import type { OperationCode } from '@bursar/merchant-api/spec';
import { type Decimal, parseDecimal, ZERO } from './decimal.ts';

/**
 * A change of the balances that the network saw. It is one top-up, or all withdrawals of a mass
 * payout that were paid at one moment.
 * A failed withdrawal never reached the network.
 */
export type Movement = Readonly<{
  atMs: number;
  account: string;
  /** The account's wallet that paid or received. */
  walletAddress: string;
  currency: string;
  opCode: OperationCode;
  /** The number of the mass payout whose withdrawals were paid. Null for a top-up. */
  massPayout: number | null;
  /** Whether the withdrawals are those of a resend. False: they are those that never failed. */
  isResend: boolean;
  /** How many transactions it contains. */
  transactions: number;
  /** The sum of their amounts. */
  amount: Decimal;
  fee: Decimal;
}>;

/** A person can top up a settlement wallet, or the account. */
export const TOP_UP_CODES = ['SETTLEMENT_TOP_UP', 'TOP_UP'] as const satisfies OperationCode[];

export type TopUpCode = (typeof TOP_UP_CODES)[number];

/** ASSUMED: the event of a top-up. The spec does not connect events with operations. */
export const TOP_UP_EVENTS = {
  SETTLEMENT_TOP_UP: 'SETTLEMENT_TOP_UP_COMPLETED',
  TOP_UP: 'WALLET_FUNDS_DELIVERED_ACCOUNT',
} as const;

/** The name of a top-up, from which its transaction hash follows. */
export const topUpId = (movement: number): string => `top-up ${movement}`;

/** ASSUMED: the service pays the network's fee. The merchant sees the sum and does not pay it. */
export const BLOCKCHAIN_FEE = parseDecimal('0.0001') ?? ZERO;
