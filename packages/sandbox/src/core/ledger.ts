import { type Decimal, negate } from './decimal.ts';
import { withdrawalId } from './mass-payout.ts';

/** The reason of a change. PAYOUT and FEE are debits, the others credits. */
export type LedgerKind = 'TOP_UP' | 'PAYOUT' | 'FEE' | 'PAYOUT_RETURN' | 'FEE_RETURN';

/** One change of one balance. A debit has a negative amount. An entry never changes. */
export type LedgerEntry = Readonly<{
  atMs: number;
  account: string;
  currency: string;
  kind: LedgerKind;
  amount: Decimal;
  massPayoutId: string | null;
  withdrawalId: string | null;
}>;

/**
 * The mass payout of some entries. `position` is null when they belong to the whole mass payout.
 */
export type LedgerOrigin = Readonly<{
  atMs: number;
  account: string;
  currency: string;
  massPayoutId: string;
  position: number | null;
}>;

export type WithdrawalCost = Readonly<{ amount: Decimal; fee: Decimal }>;

export const debitsOf = (place: LedgerOrigin, cost: WithdrawalCost): LedgerEntry[] => [
  entryOf(place, 'PAYOUT', negate(cost.amount)),
  entryOf(place, 'FEE', negate(cost.fee)),
];

export const creditsOf = (place: LedgerOrigin, cost: WithdrawalCost): LedgerEntry[] => [
  entryOf(place, 'PAYOUT_RETURN', cost.amount),
  entryOf(place, 'FEE_RETURN', cost.fee),
];

function entryOf(place: LedgerOrigin, kind: LedgerKind, amount: Decimal): LedgerEntry {
  const { position, ...rest } = place;
  return {
    ...rest,
    kind,
    amount,
    withdrawalId: position === null ? null : withdrawalId(place.massPayoutId, position),
  };
}
