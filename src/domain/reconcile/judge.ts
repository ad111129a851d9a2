import type { Outcome } from '../settling/outcome.ts';
import type { DifferenceCode } from './difference-texts.ts';
import type { NearbyRows, RowMatch } from './payment-book.ts';

/**
 * The difference between the batch and the wallet for a row; undefined without one. `hasMassPayout`: whether the batch
 * has a mass payout that holds the row.
 */
export function differenceOfRow(
  { outcome, transaction, isContested }: RowMatch,
  hasMassPayout: boolean,
): DifferenceCode | undefined {
  const sight = transaction === undefined ? 'unseen' : 'seen';
  if (isContested) return 'ROW_CONTESTED';
  if (outcome === 'IN_FLIGHT' && !hasMassPayout && sight === 'seen') return 'DOUBTFUL_ROW_PAID';
  return BY_OUTCOME[outcome][sight];
}

type BySight = Readonly<Record<'seen' | 'unseen', DifferenceCode | undefined>>;

const BY_OUTCOME: Readonly<Record<Outcome, BySight>> = {
  PAID: { seen: undefined, unseen: 'ROW_WITHOUT_TRANSACTION' },
  FAILED: { seen: 'UNPAID_ROW_PAID', unseen: undefined },
  NOT_SENT: { seen: 'UNPAID_ROW_PAID', unseen: undefined },
  UNKNOWN: { seen: 'UNKNOWN_ROW_PAID', unseen: 'UNKNOWN_ROW_UNSEEN' },
  IN_FLIGHT: { seen: undefined, unseen: undefined },
};

/** The kind of a transaction that belongs to no row. `isOurs`: its currency is one of the batch. */
export function differenceOfTransaction(
  { equalRow, missingRow }: NearbyRows,
  isOurs: boolean,
): DifferenceCode {
  if (equalRow !== undefined) return 'PAID_AGAIN';
  if (missingRow !== undefined) return 'OTHER_AMOUNT';
  return isOurs ? 'STRAY_TRANSACTION' : 'OTHER_CURRENCY';
}
