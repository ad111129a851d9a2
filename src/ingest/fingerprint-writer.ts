import { PRINT_WORDS, writePrint } from '../domain/plan/row-print.ts';
import type { AcceptedRow } from '../domain/rows/row-rules.ts';
import { createFingerprintSpaces } from './fingerprint-spaces.ts';

/** Returns the fingerprints of accepted rows. `content` has a line for each, in the same order. */
export type FingerprintWriter = (
  content: Uint8Array,
  accepted: readonly AcceptedRow[],
) => Int32Array;

export function createFingerprintWriter(): FingerprintWriter {
  const spaceOf = createFingerprintSpaces();
  return (content, accepted) => {
    const fingerprints = new Int32Array(accepted.length * PRINT_WORDS);
    let start = 0;
    accepted.forEach(({ row: { row, address, amount, currency } }, i) => {
      const space = spaceOf(currency);
      const printedRow = { space, content, start, row, address, amount };
      start = writePrint(fingerprints, i * PRINT_WORDS, printedRow);
    });
    return fingerprints;
  };
}
