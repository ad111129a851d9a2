import type { OperationCode } from '@bursar/merchant-api/spec';
import { type Decimal, parseDecimal, ZERO } from './decimal.ts';

/**
 * What happened on the network at one moment, and what it did to the balances: one top-up, or all
 * withdrawals of a mass payout that were paid then. What failed was never on the network.
 */
export type Movement = Readonly<{
  atMs: number;
  account: string;
  /** The wallet of the account through which it went. */
  walletAddress: string;
  currency: string;
  opCode: OperationCode;
  /** Number of the mass payout whose withdrawals were paid; null for a top-up. */
  massPayout: number | null;
  /** The withdrawals are those of a resend, and not those that never failed. */
  isResend: boolean;
  /** How many transactions it is made of. */
  transactions: number;
  /** What they sum up to. */
  amount: Decimal;
  fee: Decimal;
}>;

/** What a person can top up: a settlement wallet, or the account. */
export const TOP_UP_CODES = ['SETTLEMENT_TOP_UP', 'TOP_UP'] as const satisfies OperationCode[];

export type TopUpCode = (typeof TOP_UP_CODES)[number];

/** ASSUMED: the event that tells of a top-up; the spec does not tie events to operations. */
export const TOP_UP_EVENTS = {
  SETTLEMENT_TOP_UP: 'SETTLEMENT_TOP_UP_COMPLETED',
  TOP_UP: 'WALLET_FUNDS_DELIVERED_ACCOUNT',
} as const;

/** The name of a top-up, from which its transaction hash follows. */
export const topUpId = (movement: number): string => `top-up ${movement}`;

/** ASSUMED: the service pays the network; the merchant sees the sum and is not charged for it. */
export const BLOCKCHAIN_FEE = parseDecimal('0.0001') ?? ZERO;
