import { bitsOfEnds, type SameEnds, sameEnds } from '../../domain/plan/address-ends.ts';
import { type AddressFingerprint, isSameAddress } from './address-fingerprint.ts';
import type { CommonEnds } from './common-ends.ts';

/** The rule by which two addresses look alike. */
export type Likeness = Readonly<{
  /**
   * Whether another address can look like this one. It is false for ends that many addresses share.
   */
  mayBeAlike(address: AddressFingerprint): boolean;
  isAlike(a: AddressFingerprint, b: AddressFingerprint): boolean;
}>;

/**
 * In bits: random addresses look alike in one of 128 files.
 * Two addresses must share more characters when there are more pairs to compare.
 */
const MARGIN_BITS = 7;

/**
 * Returns the rule for a batch. `common`: ends of all recipients. `others`: rows of other batches.
 */
export function likenessAmong(common: CommonEnds, others: number): Likeness {
  const pairs = common.counted() * (common.counted() + others);
  const neededBits = Math.ceil(Math.log2(Math.max(1, pairs))) + MARGIN_BITS;

  /** Whether the equal characters are more than random addresses share. */
  function isEnough(address: AddressFingerprint, { headBits, tailBits }: SameEnds): boolean {
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
