import { PRINT_WORDS } from '../domain/plan/row-print.ts';

/** Prints that are gathered one by one. */
export type PrintBuffer = Readonly<{
  /** Takes a copy of the print that stands in `prints` from `at` on. */
  add(prints: Int32Array, at: number): void;
  /** All prints; none may be added after that. */
  words(): Int32Array;
}>;

const ROWS_AT_FIRST = 256;

export function createPrintBuffer(): PrintBuffer {
  let words = new Int32Array(0);
  let used = 0;
  return {
    add(prints, at) {
      if (used === words.length) words = larger(words);
      for (let i = 0; i < PRINT_WORDS; i++) words[used + i] = prints[at + i] ?? 0;
      used += PRINT_WORDS;
    },
    words: () => words.slice(0, used),
  };
}

function larger(words: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(Math.max(2 * words.length, ROWS_AT_FIRST * PRINT_WORDS));
  copy.set(words);
  return copy;
}
