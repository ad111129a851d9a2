import { type Ends, headKey, keyBitsOf, tailKey } from '../../domain/plan/address-ends.ts';

/** Counts beginnings and ends of addresses, to find those that too many addresses share. */
export type CommonEnds = Readonly<{
  count(head: number, tail: number): void;
  /** Returns the number of counted addresses. */
  counted(): number;
  /** Whether any beginning or end may be common. */
  mayExist(): boolean;
  hasCommonHead(ends: Ends): boolean;
  hasCommonTail(ends: Ends): boolean;
}>;

/** An end is common when it occurs this many times more often than in random addresses. */
const COMMON_TIMES = 8;
const BUCKET_BITS = 16;
/** Bits of the shortest distinguishable beginning, which hexadecimal addresses have. */
const KEY_BITS_MIN = 12;

/**
 * Makes a counter of 512 KiB for any number of addresses. Count all of them before the first test.
 */
export function createCommonEnds(): CommonEnds {
  const heads = new Uint32Array(2 ** BUCKET_BITS);
  const tails = new Uint32Array(2 ** BUCKET_BITS);
  let counted = 0;
  let most = 0;
  const isCommon = (found: number, bits: number): boolean =>
    found > COMMON_TIMES * (1 + counted / 2 ** Math.min(bits, BUCKET_BITS));
  return {
    count(head, tail) {
      const [headBucket, tailBucket] = [bucketOf(headKey(head, tail)), bucketOf(tailKey(tail))];
      const sameHead = (heads[headBucket] ?? 0) + 1;
      const sameTail = (tails[tailBucket] ?? 0) + 1;
      heads[headBucket] = sameHead;
      tails[tailBucket] = sameTail;
      most = Math.max(most, sameHead, sameTail);
      counted += 1;
    },
    counted: () => counted,
    mayExist: () => isCommon(most, KEY_BITS_MIN),
    hasCommonHead: (ends) =>
      isCommon(heads[bucketOf(headKey(ends.head, ends.tail))] ?? 0, keyBitsOf(ends).headBits),
    hasCommonTail: (ends) =>
      isCommon(tails[bucketOf(tailKey(ends.tail))] ?? 0, keyBitsOf(ends).tailBits),
  };
}

const bucketOf = (word: number): number => Math.imul(word, 0x9e3779b1) >>> (32 - BUCKET_BITS);
