import type { NotifiableEvent } from './events.ts';

/** A contradiction between answers of the service about one chunk. */
export type LookupContradiction = Readonly<{
  batchId: string;
  chunk: number;
  reason: 'FOUND_AFTER_MISS' | 'TWO_PAYOUTS';
}>;

const WHAT: Readonly<Record<LookupContradiction['reason'], string>> = {
  FOUND_AFTER_MISS: 'a lookup by its key did not find it when it must have',
  TWO_PAYOUTS: 'the service has more than one mass payout for it',
};

/** Why a batch is held, in words. */
export const disproofReason = ({ batchId, chunk, reason }: LookupContradiction): string =>
  `lookups cannot be relied on: chunk ${chunk} of ${batchId}, ${WHAT[reason]}`;

/** The event that names the rows of a contradiction. */
export function disproofNews(
  heldBatchId: string,
  about: LookupContradiction & Readonly<{ firstRow: number; lastRow: number; rowCount: number }>,
): NotifiableEvent {
  const { batchId, chunk, reason, firstRow, lastRow, rowCount } = about;
  return {
    event: 'batch.needs_operator',
    batchId: heldBatchId,
    key: `lookups disproven by ${batchId}/${chunk}: ${reason}`,
    data: {
      batchId: heldBatchId,
      why: disproofReason(about),
      count: rowCount,
      rows: [`${firstRow}-${lastRow}`],
    },
  };
}
