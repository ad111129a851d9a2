import { PRINT_WORDS, writePrint } from '../domain/plan/row-print.ts';
import type { AcceptedRow } from '../domain/rows/row-rules.ts';
import { createPrintSpaces } from './print-spaces.ts';

/** Makes the fingerprints of accepted rows; `content` has a line for each, in the same order. */
export type Printer = (content: Uint8Array, accepted: readonly AcceptedRow[]) => Int32Array;

export function createPrinter(): Printer {
  const spaceOf = createPrintSpaces();
  return (content, accepted) => {
    const prints = new Int32Array(accepted.length * PRINT_WORDS);
    let start = 0;
    accepted.forEach(({ row: { row, address, amount, currency } }, i) => {
      const space = spaceOf(currency);
      const printed = { space, content, start, row, address, amount };
      start = writePrint(prints, i * PRINT_WORDS, printed);
    });
    return prints;
  };
}
