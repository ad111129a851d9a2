import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import { type CommonEnds, createCommonEnds } from './common-ends.ts';
import { endsKey } from './ends-key.ts';
import type { OwnSegment } from './own-prints.ts';

/** The ends of the addresses that a batch pays, each once. */
export type PayeeEnds = Readonly<{
  /** Takes rows of the batch. */
  add(segment: OwnSegment): void;
  /** By index, for the first row of each payee the key of its ends; `NO_KEY` for any other. */
  keys: Int32Array;
  common: CommonEnds;
  /** The common values of the fingerprints of each currency of the batch, by currency. */
  spaces: ReadonlyMap<string, PrintSpace>;
}>;

/** `isNew`: for each row of the batch, by its index, 1 when no row before it has its payee, else 0. */
export function createPayeeEnds(isNew: Uint8Array): PayeeEnds {
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
