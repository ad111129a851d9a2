import {
  bitsOfEnds,
  type Ends,
  hasEnds,
  keyOfEnds,
  sameEnds,
} from '../../domain/plan/address-ends.ts';
import {
  PART,
  PRINT_WORDS,
  type PrintSegment,
  type PrintSpace,
  printSpaceOf,
} from '../../domain/plan/row-print.ts';
import { createPairTable } from '../pair-table.ts';
import { countCommonEnds } from './common-ends.ts';
import type { OwnPrints } from './own-prints.ts';
import type { Payees } from './payees.ts';

/** Finds addresses that people would take for one another. A payee of the batch is named as in `Payees`. */
export type LookAlikes = Readonly<{
  /** Calls `found` for each payee that looks like an address of the segment, whose print begins at `at`, and is another. */
  eachIn(segment: PrintSegment, found: (payee: number, at: number) => void): void;
  /** Calls `found` for each payee that looks like another payee of the batch itself. */
  eachPair(found: (payee: number, other: number) => void): void;
}>;

/**
 * Chance gives two addresses with the same ends in one of so many comparisons, as a power of two. To look alike, two
 * addresses must share the more characters the more pairs there are to compare.
 */
const MARGIN_BITS = 7;

/** Payees with the same key that one address is compared with; chance never gives as many. */
const COMPARED_MAX = 16;

/** A print of an address, and of what space it is. */
type Place = Readonly<{ words: Int32Array; at: number; space: PrintSpace }>;

/** `others`: how many prints it will be given. */
export function createLookAlikes(own: OwnPrints, payees: Payees, others: number): LookAlikes {
  const placeOf = (index: number): Place => ({
    words: own.words,
    at: index * PRINT_WORDS,
    space: own.spaces[own.spaceOf[index] ?? 0] ?? NO_SPACE,
  });
  const eachPayee = (take: (index: number, place: Place) => void): void => {
    for (let index = 0; index < own.count; index++) {
      if (payees.payeeOf(index) !== index) continue;
      const place = placeOf(index);
      if (hasEnds(endsAt(place))) take(index, place);
    }
  };

  const common = countCommonEnds((take) => eachPayee((_, place) => take(endsAt(place))));
  const firsts = createPairTable(() => own.count);
  /** For each payee the next one with the same key, as its index plus 1; 0 for none. */
  const nextSame = new Int32Array(own.count);
  let count = 0;
  eachPayee((index, place) => {
    count += 1;
    const [low, high] = keyAt(place);
    const first = firsts.putIfAbsent(low, high, index + 1);
    if (first === 0) return;
    nextSame[index] = nextSame[first - 1] ?? 0;
    nextSame[first - 1] = index + 1;
  });
  const neededBits = Math.ceil(Math.log2(Math.max(1, count * (count + others)))) + MARGIN_BITS;

  function isAlike(a: Place, b: Place): boolean {
    if (a.space.family !== b.space.family || isSameAddress(a, b)) return false;
    const ends = endsAt(b);
    const same = sameEnds(endsAt(a), ends);
    if (same === undefined) return false;
    const headBits = common.hasCommonHead(ends) ? 0 : same.headBits;
    const tailBits = common.hasCommonTail(ends) ? 0 : same.tailBits;
    return headBits + tailBits >= Math.min(neededBits, bitsOfEnds(ends));
  }

  function eachLike(place: Place, found: (payee: number) => void): void {
    const [low, high] = keyAt(place);
    let next = firsts.get(low, high);
    for (let compared = 0; next !== 0 && compared < COMPARED_MAX; compared++) {
      if (isAlike(place, placeOf(next - 1))) found(next - 1);
      next = nextSame[next - 1] ?? 0;
    }
  }

  return {
    eachIn({ currency, prints }, found) {
      const space = printSpaceOf(currency);
      if (!own.spaces.some(({ family }) => family !== undefined && family === space.family)) return;
      for (let at = 0; at < prints.length; at += PRINT_WORDS) {
        if (prints[at + PART.ends] === 0) continue;
        eachLike({ words: prints, at, space }, (payee) => found(payee, at));
      }
    },
    eachPair(found) {
      eachPayee((index, place) => eachLike(place, (other) => found(index, other)));
    },
  };
}

const NO_SPACE = printSpaceOf('');

const endsAt = ({ words, at }: Place): Ends => ({
  head: words[at + PART.ends] ?? 0,
  tail: words[at + PART.ends + 1] ?? 0,
});

/** Addresses of different families never have the same key, but for chance. */
function keyAt(place: Place): [low: number, high: number] {
  const { head, tail } = keyOfEnds(endsAt(place));
  const { low, high } = place.space.addressSeed;
  return [Math.imul(head ^ low, SPREAD) ^ tail, Math.imul(tail ^ high, SPREAD)];
}

/** Odd, so that different words stay different. The keys themselves have zeros where characters were cut off. */
const SPREAD = 0x9e3779b1;

const isSameAddress = (a: Place, b: Place): boolean =>
  a.words[a.at + PART.address] === b.words[b.at + PART.address] &&
  a.words[a.at + PART.address + 1] === b.words[b.at + PART.address + 1];
