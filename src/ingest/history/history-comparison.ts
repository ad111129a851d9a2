import type { PastBatch } from '../../store/rows/fingerprints.ts';
import type { FindingCollector } from '../finding-collector.ts';
import { createDuplicates, type Duplicates } from './duplicates.ts';
import { type LookAlikes, openLookAlikes } from './look-alikes.ts';
import { createRowMatches, type RowMatches } from './row-matches.ts';
import { findNewRecipients } from './new-recipients.ts';
import type { Overlap } from './overlaps.ts';
import type { BatchFingerprints } from './batch-fingerprints.ts';
import { createRecipientEnds, type RecipientEnds } from './recipient-ends.ts';
import { createRecipients, type Recipients } from './recipients.ts';
import { createRepeats, type Repeats } from './repeats.ts';

/** The payments that the rows of a batch are compared with. */
export type ComparedPayments = Readonly<{
  /** Other batches of the account. A finding names the first one with the row. */
  others: readonly PastBatch[];
  /** The account's own addresses, as people write them. */
  ownAddresses: readonly string[];
  /** Time of payment of the batch, in milliseconds since 1970. */
  payAtMs: number;
  signal?: AbortSignal | undefined;
}>;

export type PaymentHistory = ComparedPayments &
  Readonly<{
    /** Days before and after the payment in which an equal payment may be a repeat. */
    historyDays: number;
  }>;

/** The state of the comparison of a batch with other batches. */
export type HistoryComparison = Readonly<{
  own: BatchFingerprints;
  findings: FindingCollector;
  ends: RecipientEnds;
  /** Undefined without other batches. */
  recipients: Recipients | undefined;
  lookAlikes: LookAlikes;
  /** The rows with an address that looks like another one. */
  alike: RowMatches;
  duplicates: Duplicates;
  repeats: Repeats<PastBatchSummary>;
  /** By row index: 1 when another batch has the row. */
  repeated: Uint8Array;
  overlaps: Overlap[];
}>;

/** The text for another batch, and its number of compared rows. */
export type PastBatchSummary = Readonly<{ source: string; rows: number }>;

/** Makes the first pass over the rows. */
export async function startHistoryComparison(
  own: BatchFingerprints,
  { others }: PaymentHistory,
  findings: FindingCollector,
): Promise<HistoryComparison> {
  const recipients = others.length === 0 ? undefined : createRecipients(own.count);
  const ends = createRecipientEnds(recipients?.isNew ?? (await findNewRecipients(own)));
  const duplicates = createDuplicates(own.count);
  await own.each((segment) => {
    recipients?.add(segment);
    ends.add(segment);
    duplicates.add(segment);
  });
  const alike = createRowMatches(own.count);
  const lookAlikes = await openLookAlikes({
    own,
    ends,
    found: alike.add,
    others: others.reduce((sum, { rows }) => sum + rows, 0),
  });
  return {
    own,
    findings,
    ends,
    recipients,
    lookAlikes,
    alike,
    duplicates,
    repeats: createRepeats(own.count),
    repeated: new Uint8Array(own.count),
    overlaps: [],
  };
}
