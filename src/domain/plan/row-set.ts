import { PART, PRINT_WORDS } from './row-print.ts';

/** Names a set of rows by their payments, in any order and with any repetition. */
export type RowSet = Readonly<{
  /** Takes prints of rows. */
  take(prints: Int32Array): void;
  /** The same text for the same rows. */
  name(): string;
}>;

const WORD = 2 ** 32;

/** The number of rows, and the sum of their hashes modulo 2^64. */
export function createRowSet(): RowSet {
  let [rows, low, high] = [0, 0, 0];
  return {
    take(prints) {
      for (let at = 0; at < prints.length; at += PRINT_WORDS) {
        const sum = low + ((prints[at + PART.row] ?? 0) >>> 0);
        const carry = sum >= WORD ? 1 : 0;
        low = sum - carry * WORD;
        high = (high + ((prints[at + PART.row + 1] ?? 0) >>> 0) + carry) % WORD;
        rows += 1;
      }
    },
    name: () => `${rows}-${hexOf(high)}${hexOf(low)}`,
  };
}

const hexOf = (word: number): string => word.toString(16).padStart(8, '0');
