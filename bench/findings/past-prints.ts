import { randomFillSync } from 'node:crypto';
import { PART, PRINT_WORDS, type PrintSegment } from '../../src/domain/plan/row-print.ts';

/** Bits of the ends of an address that hold characters, as against those that name how it is written. */
const SYMBOLS = ~0b11;
/** Of so many past rows one pays exactly what a row of the file pays. */
const REPEATED_EVERY = 1_000;

/**
 * Prints of a past chunk: every second row pays a payee of `own`, each another amount, and the others pay addresses that
 * `own` does not have.
 */
export function pastPrints(own: PrintSegment, rows: number, random: () => number): Int32Array {
  const prints = new Int32Array(rows * PRINT_WORDS);
  randomFillSync(prints);
  const ownRows = own.prints.length / PRINT_WORDS;
  for (let i = 0; i < rows; i++) {
    const at = i * PRINT_WORDS;
    const from = Math.floor(random() * ownRows) * PRINT_WORDS;
    const copied = i % REPEATED_EVERY === 0 ? PART.row : i % 2 === 0 ? PART.address : PART.ends;
    const source = own.prints.subarray(from + copied, from + PART.number);
    const ends = prints.slice(at + PART.ends, at + PART.magnitude);
    prints.set(source, at + copied);
    if (copied === PART.ends) mixEnds(prints, at + PART.ends, ends);
    prints[at + PART.number] = i + 2;
  }
  return prints;
}

/** Other characters in the same form of address. */
function mixEnds(prints: Int32Array, at: number, noise: Int32Array): void {
  for (const [i, word] of noise.entries()) {
    prints[at + i] = (prints[at + i] ?? 0) ^ (word & SYMBOLS);
  }
}
