import { type Ends, keyBitsOf, keyOfEnds } from '../../domain/plan/address-ends.ts';

/** Which beginnings and ends of addresses are so common among them that sharing one says nothing. */
export type CommonEnds = Readonly<{
  hasCommonHead(ends: Ends): boolean;
  hasCommonTail(ends: Ends): boolean;
}>;

/** More addresses with the same beginning, or end, than so many times what chance gives: somebody chose them so. */
const COMMON_TIMES = 8;
const BUCKET_BITS = 16;

/** Counts the ends of the addresses that `eachOf` gives: 512 KiB, however many there are. */
export function countCommonEnds(eachOf: (take: (ends: Ends) => void) => void): CommonEnds {
  const heads = new Uint32Array(2 ** BUCKET_BITS);
  const tails = new Uint32Array(2 ** BUCKET_BITS);
  let count = 0;
  eachOf((ends) => {
    const key = keyOfEnds(ends);
    heads[bucketOf(key.head)] = (heads[bucketOf(key.head)] ?? 0) + 1;
    tails[bucketOf(key.tail)] = (tails[bucketOf(key.tail)] ?? 0) + 1;
    count += 1;
  });
  const isCommon = (found: number, bits: number): boolean =>
    found > COMMON_TIMES * (1 + count / 2 ** Math.min(bits, BUCKET_BITS));
  return {
    hasCommonHead: (ends) =>
      isCommon(heads[bucketOf(keyOfEnds(ends).head)] ?? 0, keyBitsOf(ends).headBits),
    hasCommonTail: (ends) =>
      isCommon(tails[bucketOf(keyOfEnds(ends).tail)] ?? 0, keyBitsOf(ends).tailBits),
  };
}

const bucketOf = (word: number): number => Math.imul(word, 0x9e3779b1) >>> (32 - BUCKET_BITS);
