import { identityAt } from '../../domain/payees/identity.ts';
import { FINDING_EXAMPLES_MAX } from '../../domain/plan/finding.ts';
import { magnitudeText, TENFOLD } from '../../domain/plan/magnitude.ts';
import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { FindingCollector } from '../finding-collector.ts';
import { compareWithPastBatches, addRepeatFindings } from './compare-with-past-batches.ts';
import {
  type PaymentHistory,
  type HistoryComparison,
  startHistoryComparison,
} from './history-comparison.ts';
import { createLargestRows, type LargestRows } from './largest-rows.ts';
import { knownPayeeRule, type PayeeBook } from './payee-book.ts';
import type { ChangedPayee } from './payee-changes.ts';
import { addressHashAt } from './address-fingerprint.ts';
import type { Overlap } from './overlaps.ts';
import { type OwnAddresses, ownAddressesIn } from './own-addresses.ts';
import type { BatchFingerprints, BatchSegment } from './batch-fingerprints.ts';

/** What findings about single rows do not have. */
export type HistoryResult = Readonly<{
  overlaps: readonly Overlap[];
  changes: ReadonlyMap<RowNumber, ChangedPayee>;
}>;

/**
 * Compares the rows of a batch with each other, with other batches, and with the account's
 * addresses.
 * Adds findings about single rows to `findings`. Returns the batches that share many rows, and the first
 * rows with a changed address.
 * It reads the rows several times. Memory takes about 10 bytes for each row, 30 more where there
 * are
 * other batches, some megabytes of candidates, and one page of another batch.
 */
export async function compareWithHistory(
  own: BatchFingerprints,
  history: PaymentHistory,
  findings: FindingCollector,
): Promise<HistoryResult> {
  const comparison = await startHistoryComparison(own, history, findings);
  const { ends, lookAlikes } = comparison;
  const ownAddresses = new Map<PrintSpace, OwnAddresses>();
  for (const space of ends.spaces.values()) {
    const ofCurrency = ownAddressesIn(space, history.ownAddresses);
    ownAddresses.set(space, ofCurrency);
    for (const { address, text } of ofCurrency.list) {
      lookAlikes.take(address, { source: ownAddressText(text), row: 0 });
    }
  }
  await compareWithPastBatches(comparison, history);
  await addAllFindings(comparison, history, ownAddresses);
  return { overlaps: comparison.overlaps, changes: comparison.changes };
}

/** Adds the findings of each row after the comparison with all other batches. */
async function addAllFindings(
  comparison: HistoryComparison,
  history: PaymentHistory,
  ownAddresses: ReadonlyMap<PrintSpace, OwnAddresses>,
): Promise<void> {
  const { own, findings, lookAlikes, duplicates, repeats } = comparison;
  const compare = lookAlikes.comparer();
  const matcher = repeats.matcher();
  const findDuplicates = duplicates.finder((row, firstRow) =>
    findings.add('DUPLICATE_ROW', { row, detail: `same as row ${firstRow}` }),
  );
  const newRows = createLargestRows();
  await own.each((segment) => {
    compare(segment);
    matcher.add(segment);
    findDuplicates(segment);
    addRowFindings(comparison, segment, { ownAddresses: ownAddresses.get(segment.space), newRows });
    addPayeeFindings(comparison, segment, history);
    addIdentityFindings(comparison, segment, history.payees);
  });
  addNewRows(newRows, findings);
  addRepeatFindings(comparison, matcher);
}

/** The finding names the largest payments to new addresses, since most money is lost by them. */
function addNewRows(newRows: LargestRows, findings: FindingCollector): void {
  const rows = newRows.rows();
  const others = newRows.count() - rows.length;
  for (const [i, row] of rows.entries()) {
    findings.add('FIRST_TIME_PAYEE', { row, detail: '' }, i === 0 ? 1 + others : 1);
  }
}

/** What the findings of rows are made with, besides the comparison. */
type RowContext = Readonly<{ ownAddresses: OwnAddresses | undefined; newRows: LargestRows }>;

function addRowFindings(
  { recipients, alike, findings }: HistoryComparison,
  { prints, space, first }: BatchSegment,
  { ownAddresses, newRows }: RowContext,
): void {
  for (let index = first, at = 0; at < prints.length; index++, at += PRINT_WORDS) {
    const row = prints[at + PART.number] ?? 0;
    const ownAddress = ownAddresses?.textAt(prints, at);
    if (ownAddress !== undefined) {
      findings.add('OWN_ADDRESS', { row, detail: ownAddressText(ownAddress) });
    }
    const largest = recipients?.largestOf(index) ?? 0;
    if (largest > 0) {
      const detail = textAboveHabit(prints[at + PART.magnitude] ?? 0, largest);
      if (detail !== undefined) findings.add('AMOUNT_ABOVE_HABIT', { row, detail });
    } else {
      // Of two addresses that look alike, the one paid before is the intended one. It gets no
      // finding.
      const twin = alike.textOf(index);
      if (twin !== undefined) findings.add('LOOK_ALIKE_ADDRESS', { row, detail: `like ${twin}` });
      newRows.add(space.currency, prints[at + PART.magnitude] ?? 0, row);
    }
  }
}

/** Adds the findings about denied addresses, and about unknown ones that are paid a large amount. */
function addPayeeFindings(
  { recipients, findings }: HistoryComparison,
  { prints, space, first }: BatchSegment,
  { payees, payeeRules }: PaymentHistory,
): void {
  const needsKnown = knownPayeeRule(payeeRules, space.currency);
  if (payees.isEmpty && needsKnown === undefined) return;
  for (let index = first, at = 0; at < prints.length; index++, at += PRINT_WORDS) {
    const row = prints[at + PART.number] ?? 0;
    const [low, high] = [prints[at + PART.address] ?? 0, prints[at + PART.address + 1] ?? 0];
    const denial = payees.denialOf(low, high);
    const magnitude = prints[at + PART.magnitude] ?? 0;
    if (denial !== undefined) {
      findings.add('PAYEE_DENIED', { row, detail: denial });
    } else if (
      needsKnown?.({ magnitude, largestBefore: recipients?.largestOf(index) ?? 0 }) === true &&
      !payees.isListed(low, high)
    ) {
      findings.add('PAYEE_UNKNOWN', { row, detail: '' });
    }
  }
}

/** Adds the findings about payees who are known under another address, or with another name. */
function addIdentityFindings(
  { findings, payeeChanges, changes }: HistoryComparison,
  segment: BatchSegment,
  payees: PayeeBook,
): void {
  const { prints, identities } = segment;
  if (identities === undefined) return;
  for (let i = 0, at = 0; at < prints.length; i++, at += PRINT_WORDS) {
    const row = prints[at + PART.number] ?? 0;
    const change = payeeChanges.changeOf(segment, at);
    if (change !== undefined) {
      findings.add('ADDRESS_CHANGED', { row, detail: '' });
      keepFirst(changes, row, change);
    }
    const name = identityAt(identities, i, 'name');
    if (name.low === 0 && name.high === 0) continue;
    if (payees.hasOtherName(name, addressHashAt(prints, at)))
      findings.add('NAME_DIFFERS', { row, detail: '' });
  }
}

/** Keeps the first rows, as many as a finding names. Rows of several currencies come in any order. */
function keepFirst(
  changes: Map<RowNumber, ChangedPayee>,
  row: RowNumber,
  change: ChangedPayee,
): void {
  changes.set(row, change);
  if (changes.size > FINDING_EXAMPLES_MAX) changes.delete(Math.max(...changes.keys()));
}

/**
 * Largest factor between an amount and the largest amount before. Above it, a decimal point may be
 * lost. As a magnitude.
 */
const HABIT_FACTOR = TENFOLD;

/** Returns the text on an amount far above all earlier ones, or undefined. Both are magnitudes. */
const textAboveHabit = (amount: number, largestBefore: number): string | undefined =>
  amount > largestBefore + HABIT_FACTOR
    ? `at most about ${magnitudeText(largestBefore)} before`
    : undefined;

const ownAddressText = (address: string): string => `the account's own ${address}`;
