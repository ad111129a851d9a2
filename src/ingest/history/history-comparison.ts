import type { PastBatch } from '../../store/rows/fingerprints.ts';
import type { FindingCollector } from '../finding-collector.ts';
import { createDuplicates, type Duplicates } from './duplicates.ts';
import { type LookAlikes, openLookAlikes } from './look-alikes.ts';
import { createRowMatches, type RowMatches } from './row-matches.ts';
import type { Overlap } from './overlaps.ts';
import type { BatchFingerprints } from './batch-fingerprints.ts';
import { createRecipientEnds, type RecipientEnds } from './recipient-ends.ts';
import { createRecipients, type Recipients } from './recipients.ts';
import { createPayeeChanges, type ChangedPayee, type PayeeChanges } from './payee-changes.ts';
import { createRepeats, type Repeats } from './repeats.ts';
import type { PayeeRules } from '../../domain/plan/rules.ts';
import type { PayeeBook } from './payee-book.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import { createPairTable } from './pair-table.ts';

/** The payments that the rows of a batch are compared with. */
export type ComparedPayments = Readonly<{
  /** Other batches of the account. A finding names the first one with the row. */
  others: readonly PastBatch[];
  /** The account's own addresses, as people write them. */
  ownAddresses: readonly string[];
  /** The register of payees of the account. */
  payees: PayeeBook;
  /** Time of payment of the batch, in milliseconds since 1970. */
  payAtMs: number;
  signal?: AbortSignal | undefined;
}>;

export type PaymentHistory = ComparedPayments &
  Readonly<{
    /** Days before and after the payment in which an equal payment may be a repeat. */
    historyDays: number;
    /** Which addresses must be known; undefined: none. */
    payeeRules?: PayeeRules | undefined;
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
  payeeChanges: PayeeChanges;
  /** The first changed rows, by number. */
  changes: Map<RowNumber, ChangedPayee>;
  repeats: Repeats<PastBatchSummary>;
  /** By row index: 1 when another batch has the row. */
  repeated: Uint8Array;
  overlaps: Overlap[];
}>;

/** The text for another batch, and its number of compared rows. */
export type PastBatchSummary = Readonly<{ batchId: string; source: string; rows: number }>;

/** Makes the first pass over the rows. */
export async function startHistoryComparison(
  own: BatchFingerprints,
  { others, payees }: PaymentHistory,
  findings: FindingCollector,
): Promise<HistoryComparison> {
  const recipients = others.length === 0 ? undefined : createRecipients(own.count);
  const ends = createRecipientEnds(recipients?.isNew ?? (await findNewRecipients(own)));
  const duplicates = createDuplicates(own.count);
  const payeeChanges = createPayeeChanges(own.count, payees);
  await own.each((segment) => {
    recipients?.add(segment);
    ends.add(segment);
    duplicates.add(segment);
    payeeChanges.add(segment);
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
    payeeChanges,
    changes: new Map(),
    repeats: createRepeats(own.count),
    repeated: new Uint8Array(own.count),
    overlaps: [],
  };
}

/** Recipients compared in one pass over the rows: some megabytes. */
const RECIPIENTS_PER_PASS = 131_072;

/**
 * Returns by row index: 1 when no earlier row of the batch has the recipient, else 0.
 * It reads the rows several times, because memory holds only a part of the recipients.
 */
export async function findNewRecipients(own: BatchFingerprints): Promise<Uint8Array> {
  const isNew = new Uint8Array(own.count);
  const passes = Math.ceil(own.count / RECIPIENTS_PER_PASS);
  for (let pass = 0; pass < passes; pass++) {
    const recipients = createPairTable(RECIPIENTS_PER_PASS);
    await own.each(({ prints, space: { currencySeed: seed }, first }) => {
      for (let i = 0, at = 0; at < prints.length; i++, at += PRINT_WORDS) {
        const low = (prints[at + PART.address] ?? 0) ^ seed.low;
        if ((low >>> 0) % passes !== pass) continue;
        const high = (prints[at + PART.address + 1] ?? 0) ^ seed.high;
        if (recipients.putIfAbsent(low, high, 1) === 0) isNew[first + i] = 1;
      }
    });
  }
  return isNew;
}
