import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { type Address, addressAt } from './address.ts';
import {
  addKey,
  BITS_PER_KEY_FEW,
  type BitFilter,
  bitOfKey,
  createBitFilter,
} from './bit-filter.ts';
import { type Candidate, createCandidateTable } from './candidate-table.ts';
import { endsKey, NO_KEY } from './ends-key.ts';
import { type Likeness, likenessAmong } from './likeness.ts';
import type { SeenRow } from './marks.ts';
import type { OwnPrints, OwnSegment } from './own-prints.ts';
import type { PayeeEnds } from './payee-ends.ts';

/** Finds addresses that people would take for one another. */
export type LookAlikes = Readonly<{
  /** Takes an address of others. */
  take(address: Address, seen: SeenRow): void;
  /** Takes those of other addresses that may look like that of a recipient: nearly none. */
  takeSome(some: Some, seenAt: (row: number) => SeenRow): void;
  /** Whether so much was taken that it is to be compared before anything else. */
  isFull(): boolean;
  /** Compares the taken addresses, which are dropped now, with the given rows of the batch. */
  comparer(): Comparer;
}>;

export type Comparer = (segment: OwnSegment) => void;

/** Prints of one space: those that begin at the first `count` of `places`. */
export type Some = Readonly<{
  prints: Int32Array;
  space: PrintSpace;
  places: Int32Array;
  count: number;
}>;

type Grounds = Readonly<{
  own: OwnPrints;
  /** Of all rows of the batch. */
  ends: PayeeEnds;
  /** How many prints of others there are. */
  others: number;
  /** Receives each row, by its index, whose address looks like another one, and where that was found. */
  found(index: number, seen: SeenRow): void;
}>;

/** Candidates that are kept before all payees are held against them: some megabytes. */
const CANDIDATES_MAX = 131_072;

/** Starts with the recipients of the batch that look alike among themselves. Throws the errors of reading its rows. */
export async function openLookAlikes(grounds: Grounds): Promise<LookAlikes> {
  const { own, ends, others, found } = grounds;
  const likeness = likenessAmong(ends.common, others);
  if (ends.common.mayExist()) await leaveOutChosen(own, ends, likeness);
  const { keys, repeated } = filtersOf(ends);
  let candidates: Candidate[] = [];
  const take = (address: Address, seen: SeenRow): void => void candidates.push({ address, seen });
  const isFull = (): boolean => candidates.length >= CANDIDATES_MAX;

  function comparer(): Comparer {
    const table = createCandidateTable(candidates);
    candidates = [];
    return (segment) =>
      eachRow(segment, table.keys, (index, address) => {
        for (const { address: other, seen } of table.alikeEnds(address)) {
          if (likeness.isAlike(other, address)) found(index, seen);
        }
      });
  }

  const families = new Set([...ends.spaces.values()].map(({ addressSeed }) => addressSeed.low));

  function takeSome(
    { prints, space, places, count }: Some,
    seenAt: (row: number) => SeenRow,
  ): void {
    const seed = space.addressSeed.low;
    if (!families.has(seed)) return;
    const { words, mask } = keys;
    for (let i = 0; i < count; i++) {
      const at = places[i] ?? 0;
      const key = endsKey(prints[at + PART.ends] ?? 0, prints[at + PART.ends + 1] ?? 0, seed);
      if (bitOfKey(words, mask, key) === 0) continue;
      take(addressAt(prints, at, space), seenAt(prints[at + PART.number] ?? 0));
    }
  }

  // All that share a key, the first one too: an address in two currencies is two recipients, and each names the others.
  await own.each(async (segment) => {
    eachRow(segment, repeated, (index, address, row) => {
      if (ends.keys[index] !== NO_KEY) take(address, { source: 'this file', row });
    });
    if (isFull()) await own.each(comparer());
  });
  return { take, takeSome, isFull, comparer };
}

/** Where people chose the ends of their addresses, no other address can look like one by chance. */
const leaveOutChosen = (own: OwnPrints, ends: PayeeEnds, { mayBeAlike }: Likeness): Promise<void> =>
  own.each((segment) =>
    eachRow(segment, ALL, (index, address) => {
      if (!mayBeAlike(address)) ends.keys[index] = NO_KEY;
    }),
  );

const ALL: BitFilter = { words: Int32Array.of(-1), mask: 0 };

/** The keys of all payees, and those of several of them (and few others). */
function filtersOf({ keys }: PayeeEnds): Readonly<{ keys: BitFilter; repeated: BitFilter }> {
  // What passes is kept to be compared, so that few should pass by mistake.
  const all = createBitFilter(keys.length, BITS_PER_KEY_FEW);
  const repeated = createBitFilter(keys.length);
  for (const key of keys) {
    if (key === NO_KEY) continue;
    if (bitOfKey(all.words, all.mask, key) === 1) addKey(repeated, key);
    addKey(all, key);
  }
  return { keys: all, repeated };
}

/** Calls `take` with the index, address and number of each row whose key may be in the filter. */
function eachRow(
  { prints, space, first }: OwnSegment,
  { words, mask }: BitFilter,
  take: (index: number, address: Address, row: RowNumber) => void,
): void {
  const seed = space.addressSeed.low;
  for (let index = first, at = 0; at < prints.length; index++, at += PRINT_WORDS) {
    const key = endsKey(prints[at + PART.ends] ?? 0, prints[at + PART.ends + 1] ?? 0, seed);
    if (bitOfKey(words, mask, key) === 0) continue;
    take(index, addressAt(prints, at, space), prints[at + PART.number] ?? 0);
  }
}
