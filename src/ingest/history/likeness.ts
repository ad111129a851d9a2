import { bitsOfEnds, type SameEnds, sameEnds } from '../../domain/plan/address-ends.ts';
import { type Address, isSameAddress } from './address.ts';
import type { CommonEnds } from './common-ends.ts';

/** The rule by which two addresses look alike among so many. */
export type Likeness = Readonly<{
  /** Whether any other address can look like this one: not where people chose its ends. */
  mayBeAlike(address: Address): boolean;
  isAlike(a: Address, b: Address): boolean;
}>;

/**
 * Chance gives two addresses with the same ends in one of so many comparisons, as a power of two. The more pairs there
 * are to compare, the more characters two addresses must share to look alike.
 */
const MARGIN_BITS = 7;

/** `common`: the ends of all payees; `others`: prints that these are held against. */
export function likenessAmong(common: CommonEnds, others: number): Likeness {
  const pairs = common.counted() * (common.counted() + others);
  const neededBits = Math.ceil(Math.log2(Math.max(1, pairs))) + MARGIN_BITS;

  /** Whether the equal ends of an address are longer than chance would give. */
  function isEnough(address: Address, { headBits, tailBits }: SameEnds): boolean {
    const head = common.hasCommonHead(address) ? 0 : headBits;
    const tail = common.hasCommonTail(address) ? 0 : tailBits;
    return head + tail >= Math.min(neededBits, bitsOfEnds(address).headBits * 2);
  }

  return {
    mayBeAlike: (address) => isEnough(address, bitsOfEnds(address)),
    isAlike(a, b) {
      if (a.space.family !== b.space.family || isSameAddress(a, b)) return false;
      const same = sameEnds(a, b);
      return same !== undefined && isEnough(b, same);
    },
  };
}
