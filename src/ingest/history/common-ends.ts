import { type Ends, headKey, keyBitsOf, tailKey } from '../../domain/plan/address-ends.ts';

/** Beginnings and ends of addresses that are so common among them that sharing one proves nothing. */
export type CommonEnds = Readonly<{
  count(head: number, tail: number): void;
  /** How many were counted. */
  counted(): number;
  /** Whether there may be any such beginnings or ends. */
  mayExist(): boolean;
  hasCommonHead(ends: Ends): boolean;
  hasCommonTail(ends: Ends): boolean;
}>;

/** More addresses with the same beginning, or end, than so many times the number by chance: a person chose them so. */
const COMMON_TIMES = 8;
const BUCKET_BITS = 16;
/** The fewest distinct beginnings: those of hexadecimal addresses. */
const KEY_BITS_MIN = 12;

/** Counts in 512 KiB, however many addresses there are. All are to be counted before the first question. */
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
