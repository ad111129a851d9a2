import { BursarError } from '../../domain/errors/bursar-error.ts';
import { PRINT_WORDS, type PrintSegment, type PrintSpace } from '../../domain/plan/row-print.ts';
import { createFingerprintSpaces } from '../fingerprint-spaces.ts';
import { withPauses } from './with-pauses.ts';

/** Row fingerprints in segments. */
export type FingerprintSegments = AsyncIterable<PrintSegment> | Iterable<PrintSegment>;

/** Fingerprints of rows of the planned batch. `first` is the index of the first row, from 0. */
export type BatchSegment = Readonly<{
  prints: Int32Array;
  /** The identities of the rows; missing: none has any. */
  identities?: Int32Array;
  space: PrintSpace;
  first: number;
}>;

/**
 * The row fingerprints of the planned batch. They are read several times, and never kept in memory.
 */
export type BatchFingerprints = Readonly<{
  count: number;
  /**
   * Passes all fingerprints to `take`, always in the same order.
   * @throws INTERNAL when their number is not that of the rows, or the reason of an aborted signal.
   */
  each(take: (segment: BatchSegment) => void | Promise<void>): Promise<void>;
}>;

type FingerprintSource = Readonly<{
  /** Starts one pass. A segment is valid until the next one is read. */
  prints: () => FingerprintSegments;
  count: number;
  signal?: AbortSignal | undefined;
}>;

export function createBatchFingerprints({
  prints: source,
  count,
  signal,
}: FingerprintSource): BatchFingerprints {
  const spaceOf = createFingerprintSpaces();
  return {
    count,
    async each(take) {
      let first = 0;
      for await (const { currency, prints, identities } of withPauses(source(), signal)) {
        const rows = prints.length / PRINT_WORDS;
        if (first + rows > count) throw wrongCount(count);
        const named = identities === undefined ? {} : { identities };
        await take({ prints, ...named, space: spaceOf(currency), first });
        first += rows;
      }
      if (first !== count) throw wrongCount(count);
    },
  };
}

const wrongCount = (count: number): BursarError =>
  new BursarError('INTERNAL', {
    message: `the fingerprints of the batch are not those of ${count} rows`,
  });
