import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { type AddressFingerprint, addressFingerprintAt } from './address-fingerprint.ts';
import {
  addKey,
  BITS_PER_KEY_FEW,
  type BloomFilter,
  bitOfKey,
  createBloomFilter,
} from './bloom-filter.ts';
import { type Candidate, createCandidateTable } from './candidate-table.ts';
import { endsKey, NO_KEY } from './ends-key.ts';
import { type Likeness, likenessAmong } from './likeness.ts';
import type { MatchLocation } from './row-matches.ts';
import type { BatchFingerprints, BatchSegment } from './batch-fingerprints.ts';
import type { RecipientEnds } from './recipient-ends.ts';

/** Finds addresses that a person may confuse. */
export type LookAlikes = Readonly<{
  /** Adds a candidate: an address from elsewhere. */
  take(address: AddressFingerprint, location: MatchLocation): void;
  /** Adds the candidates among rows of another batch. Nearly no address is one. */
  takeSelection(rows: AddressSelection, locationOf: (row: number) => MatchLocation): void;
  /** Whether the candidates fill their memory limit, and must be compared now. */
  isFull(): boolean;
  /** Returns a function that compares rows of the batch with the candidates, and drops these. */
  comparer(): LookAlikeComparer;
}>;

export type LookAlikeComparer = (segment: BatchSegment) => void;

/** Fingerprints of one space: those that begin at the first `count` of `positions`. */
export type AddressSelection = Readonly<{
  prints: Int32Array;
  space: PrintSpace;
  positions: Int32Array;
  count: number;
}>;

type LookAlikesInput = Readonly<{
  own: BatchFingerprints;
  /** The ends of all rows of the batch. */
  ends: RecipientEnds;
  /** Number of rows in other batches. */
  others: number;
  /**
   * Receives the index of each row whose address looks like another one, and the other's location.
   */
  found(index: number, location: MatchLocation): void;
}>;

/** Candidates in memory before a comparison with all rows: some megabytes. */
const CANDIDATES_MAX = 131_072;

/** Starts the search. It has already compared the recipients of the batch with each other. */
export async function openLookAlikes(input: LookAlikesInput): Promise<LookAlikes> {
  const { own, ends, others, found } = input;
  const likeness = likenessAmong(ends.common, others);
  if (ends.common.mayExist()) await excludeCommonEnds(own, ends, likeness);
  const { keys, repeated } = filtersOf(ends);
  let candidates: Candidate[] = [];
  const take = (address: AddressFingerprint, location: MatchLocation): void =>
    void candidates.push({ address, location });
  const isFull = (): boolean => candidates.length >= CANDIDATES_MAX;

  function comparer(): LookAlikeComparer {
    const table = createCandidateTable(candidates);
    candidates = [];
    return (segment) =>
      eachRow(segment, table.keys, (index, address) => {
        for (const { address: other, location } of table.alikeEnds(address)) {
          if (likeness.isAlike(other, address)) found(index, location);
        }
      });
  }

  const families = new Set([...ends.spaces.values()].map(({ addressSeed }) => addressSeed.low));

  function takeSelection(
    { prints, space, positions, count }: AddressSelection,
    locationOf: (row: number) => MatchLocation,
  ): void {
    const seed = space.addressSeed.low;
    if (!families.has(seed)) return;
    const { words, mask } = keys;
    for (let i = 0; i < count; i++) {
      const at = positions[i] ?? 0;
      const key = endsKey(prints[at + PART.ends] ?? 0, prints[at + PART.ends + 1] ?? 0, seed);
      if (bitOfKey(words, mask, key) === 0) continue;
      take(addressFingerprintAt(prints, at, space), locationOf(prints[at + PART.number] ?? 0));
    }
  }

  // All rows of a shared key are candidates. An address in two currencies is two recipients.
  await own.each(async (segment) => {
    eachRow(segment, repeated, (index, address, row) => {
      if (ends.keys[index] !== NO_KEY) take(address, { source: 'this file', row });
    });
    if (isFull()) await own.each(comparer());
  });
  return { take, takeSelection, isFull, comparer };
}

/** Excludes rows with common ends, which people chose, because such ends prove no similarity. */
const excludeCommonEnds = (
  own: BatchFingerprints,
  ends: RecipientEnds,
  { mayBeAlike }: Likeness,
): Promise<void> =>
  own.each((segment) =>
    eachRow(segment, ALL_KEYS, (index, address) => {
      if (!mayBeAlike(address)) ends.keys[index] = NO_KEY;
    }),
  );

/** A filter that every key passes. */
const ALL_KEYS: BloomFilter = { words: Int32Array.of(-1), mask: 0 };

/** Returns the keys of all recipients, and the keys that several of them share (and few others). */
function filtersOf({
  keys,
}: RecipientEnds): Readonly<{ keys: BloomFilter; repeated: BloomFilter }> {
  // Every address that passes becomes a candidate, so this filter has more bits for each key.
  const all = createBloomFilter(keys.length, BITS_PER_KEY_FEW);
  const repeated = createBloomFilter(keys.length);
  for (const key of keys) {
    if (key === NO_KEY) continue;
    if (bitOfKey(all.words, all.mask, key) === 1) addKey(repeated, key);
    addKey(all, key);
  }
  return { keys: all, repeated };
}

/** Calls `take` with the index, address and number of each row whose key may be in the filter. */
function eachRow(
  { prints, space, first }: BatchSegment,
  { words, mask }: BloomFilter,
  take: (index: number, address: AddressFingerprint, row: RowNumber) => void,
): void {
  const seed = space.addressSeed.low;
  for (let index = first, at = 0; at < prints.length; index++, at += PRINT_WORDS) {
    const key = endsKey(prints[at + PART.ends] ?? 0, prints[at + PART.ends + 1] ?? 0, seed);
    if (bitOfKey(words, mask, key) === 0) continue;
    take(index, addressFingerprintAt(prints, at, space), prints[at + PART.number] ?? 0);
  }
}
