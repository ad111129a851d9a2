import { addAmounts, type Amount, formatAmount, ZERO } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { Money } from '../plan/rules.ts';

/** A chunk without an accepted mass payout, by the store. */
export type OpenChunk = Readonly<{
  chunk: number;
  currency: string;
  total: string;
  /** Whether its create is under way: the service may have taken the money already. */
  sending: boolean;
}>;

/** The rank of a batch that may not have asked for its money yet. */
export type QueueRank = Readonly<{
  batchId: string;
  /** Whether it goes before batches whose time has not come, or that wait for people. */
  beforeScheduled: boolean;
}>;

/** The place of a batch in the queue for the balance. */
export type QueuePlace = QueueRank & Readonly<{ seq: number }>;

/** The payments of a batch that still need money. */
export type OpenPayments = Readonly<{
  /** The fees of the whole batch. */
  fees: readonly Money[];
  open: readonly OpenChunk[];
}>;

/**
 * The claim of a batch on its account. The instants are milliseconds since 1970, null where the batch is not that far.
 */
export type FundsClaim = QueuePlace &
  OpenPayments &
  Readonly<{
    /** When it is to be paid; null: at once. */
    dueAtMs: number | null;
    /** When it first asked for its money. */
    askedAtMs: number | null;
    /** Since when it waits because it may not. */
    waitingSinceMs: number | null;
    /** When it was let go. */
    grantedAtMs: number | null;
  }>;

/** The open need of a batch in one currency. Canonical decimal text. */
export type Need = Readonly<{ currency: string; amount: string; fee: string }>;

/**
 * GRANTED: it pays. ASKING: its question is being decided. WAITING: it was refused for now. SCHEDULED: its time has not
 * come. PLANNED: it has not asked yet; it may wait for people.
 */
export type ClaimStage = 'GRANTED' | 'ASKING' | 'WAITING' | 'SCHEDULED' | 'PLANNED';

export function stageOf(claim: FundsClaim, nowMs: number): ClaimStage {
  if (claim.grantedAtMs !== null) return 'GRANTED';
  if (claim.waitingSinceMs !== null) return 'WAITING';
  if (claim.askedAtMs !== null) return 'ASKING';
  return claim.dueAtMs !== null && claim.dueAtMs > nowMs ? 'SCHEDULED' : 'PLANNED';
}

/** The open need of a batch, by currency: its open chunks, and its whole fee as long as one of them is open. */
export function needsOf({ open, fees }: OpenPayments): Need[] {
  const sums = new Map<string, Amount>();
  for (const { currency, total } of open) {
    sums.set(currency, addAmounts(sums.get(currency) ?? ZERO, parseSignedAmount(total)));
  }
  return [...sums].map(([currency, sum]) => ({
    currency,
    amount: formatAmount(sum),
    fee: fees.find((fee) => fee.currency === currency)?.amount ?? '0',
  }));
}

/** Rows and fee together. */
export const totalOf = ({ amount, fee }: Need): Amount =>
  addAmounts(parseSignedAmount(amount), parseSignedAmount(fee));
