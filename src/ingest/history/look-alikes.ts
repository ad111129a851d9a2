import { bitsOfEnds, type SameEnds, sameEnds } from '../../domain/plan/address-ends.ts';
import { PART, PRINT_WORDS, printSpaceOf } from '../../domain/plan/row-print.ts';
import { createPairTable } from '../pair-table.ts';
import { type Address, addressAt, isSameAddress } from './address.ts';
import {
  addKey,
  BITS_PER_KEY_FEW,
  type BitFilter,
  bitOfKey,
  createBitFilter,
} from './bit-filter.ts';
import { createCommonEnds } from './common-ends.ts';
import { endsKey } from './ends-key.ts';
import type { Seen } from './marks.ts';
import type { OwnPrints } from './own-prints.ts';
import type { Payees } from './payees.ts';

/** Finds addresses that people would take for one another. A payee of the batch is named as in `Payees`. */
export type LookAlikes = Readonly<{
  /** The keys of the payees' addresses: no address without one of them looks like any. */
  keys: BitFilter;
  /** Takes an address of others; one that has none of the keys is taken in vain. */
  take(address: Address, seen: Seen): void;
  /** Compares what was not compared yet. */
  close(): void;
}>;

type Grounds = Readonly<{
  own: OwnPrints;
  payees: Payees;
  /** How many prints of others there are. */
  others: number;
  /** Is called with each payee that looks like another address, and where that was seen. */
  found(payee: number, seen: Seen): void;
}>;

/** An address that may look like that of a payee. */
type Candidate = Readonly<{ address: Address; seen: Seen }>;

/**
 * Chance gives two addresses with the same ends in one of so many comparisons, as a power of two. To look alike, two
 * addresses must share the more characters the more pairs there are to compare.
 */
const MARGIN_BITS = 7;

/** Candidates that are kept before all payees are held against them: some megabytes. */
const CANDIDATES_MAX = 131_072;

/** Addresses with the same key that one payee is compared with at a time; chance never gives as many. */
const COMPARED_MAX = 16;

export function createLookAlikes({ own, payees, others, found }: Grounds): LookAlikes {
  const { words, spaces, spaceOf } = own;
  const addressOf = (payee: number): Address =>
    addressAt(words, payee * PRINT_WORDS, spaces[spaceOf[payee] ?? 0] ?? NO_SPACE);
  const common = createCommonEnds();
  for (let index = 0, at = PART.ends; index < own.count; index++, at += PRINT_WORDS) {
    const head = words[at] ?? 0;
    if (head !== 0 && payees.ofRows[index] === index) common.count(head, words[at + 1] ?? 0);
  }
  const pairs = common.counted() * (common.counted() + others);
  const neededBits = Math.ceil(Math.log2(Math.max(1, pairs))) + MARGIN_BITS;

  /** Whether what is equal of the ends of an address is more than chance would give. */
  function isEnough(address: Address, { headBits, tailBits }: SameEnds): boolean {
    const head = common.hasCommonHead(address) ? 0 : headBits;
    const tail = common.hasCommonTail(address) ? 0 : tailBits;
    return head + tail >= Math.min(neededBits, bitsOfEnds(address).headBits * 2);
  }

  function isAlike(a: Address, b: Address): boolean {
    if (a.space.family !== b.space.family || isSameAddress(a, b)) return false;
    const same = sameEnds(a, b);
    return same !== undefined && isEnough(b, same);
  }

  let candidates: Candidate[] = [];

  function compareAll(): void {
    const { firsts, nextSame, filter } = tableOf(candidates);
    eachPayee(own, payees, (payee, key) => {
      if (bitOfKey(filter.words, filter.mask, key) === 0) return;
      for (let next = firsts.get(key, key); next !== 0; next = nextSame[next - 1] ?? 0) {
        const candidate = candidates[next - 1];
        if (candidate !== undefined && isAlike(candidate.address, addressOf(payee))) {
          found(payee, candidate.seen);
        }
      }
    });
    candidates = [];
  }

  function add(candidate: Candidate): void {
    candidates.push(candidate);
    if (candidates.length === CANDIDATES_MAX) compareAll();
  }

  // What passes is kept to be compared, so that few should pass by mistake.
  const keys = createBitFilter(own.count, BITS_PER_KEY_FEW);
  const repeatedKeys = createBitFilter(own.count);
  const someAreChosen = common.mayExist();
  eachPayee(own, payees, (payee, key) => {
    // Where people chose the ends of their addresses, no other address can look like one by chance.
    if (someAreChosen && !isEnough(addressOf(payee), bitsOfEnds(addressOf(payee)))) return;
    if (bitOfKey(keys.words, keys.mask, key) === 1) addKey(repeatedKeys, key);
    addKey(keys, key);
  });
  // All that share a key, the first one too: an address in two currencies is two payees, and each is told of the others.
  eachPayee(own, payees, (payee, key) => {
    if (bitOfKey(repeatedKeys.words, repeatedKeys.mask, key) === 0) return;
    add({ address: addressOf(payee), seen: seenInFile(own, payee) });
  });

  return {
    keys,
    take: (address, seen) => add({ address, seen }),
    close: compareAll,
  };
}

const NO_SPACE = printSpaceOf('');

const seenInFile = ({ words }: OwnPrints, payee: number): Seen => ({
  source: 'this file',
  row: words[payee * PRINT_WORDS + PART.number] ?? 0,
});

/** Calls `take` with each payee whose address has ends, and the key of these. */
function eachPayee(
  { count, words, spaces, spaceOf }: OwnPrints,
  { ofRows }: Payees,
  take: (payee: number, key: number) => void,
): void {
  for (let index = 0, at = 0; index < count; index++, at += PRINT_WORDS) {
    const head = words[at + PART.ends] ?? 0;
    if (head === 0 || ofRows[index] !== index) continue;
    const seed = spaces[spaceOf[index] ?? 0]?.addressSeed.low ?? 0;
    take(index, endsKey(head, words[at + PART.ends + 1] ?? 0, seed));
  }
}

/**
 * The first candidate of each key, and for each one the next with the same key, as places plus 1; 0 for none. Each address
 * stands there once, as it was seen first.
 */
function tableOf(candidates: readonly Candidate[]) {
  const firsts = createPairTable(() => candidates.length);
  const filter = createBitFilter(candidates.length);
  const nextSame = new Int32Array(candidates.length);
  candidates.forEach(({ address }, i) => {
    const key = endsKey(address.head, address.tail, address.space.addressSeed.low);
    addKey(filter, key);
    let place = firsts.putIfAbsent(key, key, i + 1);
    for (let compared = 1; place !== 0 && compared < COMPARED_MAX; compared++) {
      const known = candidates[place - 1];
      if (known !== undefined && isSameAddress(known.address, address)) return;
      const next = nextSame[place - 1] ?? 0;
      if (next === 0) nextSame[place - 1] = i + 1;
      place = next;
    }
  });
  return { firsts, nextSame, filter };
}
