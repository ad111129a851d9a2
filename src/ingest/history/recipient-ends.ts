import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import { type CommonEnds, createCommonEnds } from './common-ends.ts';
import { endsKey } from './ends-key.ts';
import type { BatchSegment } from './batch-fingerprints.ts';

/** The ends of the addresses that a batch pays. Each recipient counts once. */
export type RecipientEnds = Readonly<{
  /** Adds rows of the batch. */
  add(segment: BatchSegment): void;
  /** By row index: the key of the ends for the first row of each recipient, else `NO_KEY`. */
  keys: Int32Array;
  common: CommonEnds;
  /** The fingerprint spaces of the batch, by currency. */
  spaces: ReadonlyMap<string, PrintSpace>;
}>;

/** `isNew`, by row index: 1 when no earlier row of the batch has the recipient, else 0. */
export function createRecipientEnds(isNew: Uint8Array): RecipientEnds {
  const keys = new Int32Array(isNew.length);
  const common = createCommonEnds();
  const spaces = new Map<string, PrintSpace>();
  return {
    add({ prints, space, first }) {
      const seed = space.addressSeed.low;
      spaces.set(space.currency, space);
      for (let i = 0, at = 0; at < prints.length; i++, at += PRINT_WORDS) {
        const head = prints[at + PART.ends] ?? 0;
        const tail = prints[at + PART.ends + 1] ?? 0;
        if (head === 0 || isNew[first + i] === 0) continue;
        common.count(head, tail);
        keys[first + i] = endsKey(head, tail, seed);
      }
    },
    keys,
    common,
    spaces,
  };
}
