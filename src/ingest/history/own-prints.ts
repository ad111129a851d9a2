import { BursarError } from '../../domain/errors/bursar-error.ts';
import {
  PRINT_WORDS,
  type PrintSegment,
  type PrintSpace,
  printSpaceOf,
} from '../../domain/plan/row-print.ts';

/** Prints, a part at a time. */
export type PrintSegments = AsyncIterable<PrintSegment> | Iterable<PrintSegment>;

/** The prints of the batch that is planned; a row is named by its index among them, from 0 up. */
export type OwnPrints = Readonly<{
  count: number;
  /** All prints, one after the other. */
  words: Int32Array;
  /** What the prints of each currency have in common, and for each row which of them is its. */
  spaces: readonly PrintSpace[];
  spaceOf: Uint8Array;
}>;

/** Puts the prints of a batch together. Throws INTERNAL when there are not as many as the batch has rows. */
export async function gatherOwn(segments: PrintSegments, count: number): Promise<OwnPrints> {
  const words = new Int32Array(count * PRINT_WORDS);
  const spaces: PrintSpace[] = [];
  const spaceOf = new Uint8Array(count);
  let used = 0;
  for await (const { currency, prints } of segments) {
    if (used + prints.length > words.length) throw differs(count);
    words.set(prints, used);
    let space = spaces.findIndex((known) => known.currency === currency);
    if (space === -1) space = spaces.push(printSpaceOf(currency)) - 1;
    spaceOf.fill(space, used / PRINT_WORDS, (used + prints.length) / PRINT_WORDS);
    used += prints.length;
  }
  if (used !== words.length) throw differs(count);
  return { count, words, spaces, spaceOf };
}

const differs = (count: number): BursarError =>
  new BursarError('INTERNAL', {
    message: `the prints of the batch are not those of ${count} rows`,
  });
