import { BursarError } from '../../domain/errors/bursar-error.ts';
import { PRINT_WORDS, type PrintSegment, type PrintSpace } from '../../domain/plan/row-print.ts';
import { createPrintSpaces } from '../print-spaces.ts';
import { inTurns } from './in-turns.ts';

/** Prints, a part at a time. */
export type PrintSegments = AsyncIterable<PrintSegment> | Iterable<PrintSegment>;

/** Prints of the batch that is planned. A row is named by its index among all of them, from 0 up; the first here is `first`. */
export type OwnSegment = Readonly<{ prints: Int32Array; space: PrintSpace; first: number }>;

/** The fingerprints of the batch that is planned. They can be read again and again, and are never kept. */
export type OwnPrints = Readonly<{
  count: number;
  /**
   * Passes all fingerprints on, in the same order each time. Throws INTERNAL when there are not as many as the batch
   * has rows, and the reason of the signal when that is aborted.
   */
  each(take: (segment: OwnSegment) => void | Promise<void>): Promise<void>;
}>;

type Source = Readonly<{
  /** Called for every reading. A segment is valid until the next one is read. */
  prints: () => PrintSegments;
  count: number;
  signal?: AbortSignal | undefined;
}>;

export function createOwnPrints({ prints: source, count, signal }: Source): OwnPrints {
  const spaceOf = createPrintSpaces();
  return {
    count,
    async each(take) {
      let first = 0;
      for await (const { currency, prints } of inTurns(source(), signal)) {
        const rows = prints.length / PRINT_WORDS;
        if (first + rows > count) throw differs(count);
        await take({ prints, space: spaceOf(currency), first });
        first += rows;
      }
      if (first !== count) throw differs(count);
    },
  };
}

const differs = (count: number): BursarError =>
  new BursarError('INTERNAL', {
    message: `the prints of the batch are not those of ${count} rows`,
  });
