import { PRINT_WORDS } from '../domain/plan/row-print.ts';

/** A growing list of fingerprints. */
export type FingerprintBuffer = Readonly<{
  /** Copies the fingerprint that begins at `fingerprints[at]`. */
  add(fingerprints: Int32Array, at: number): void;
  /** Returns all fingerprints. Call it last. */
  words(): Int32Array;
}>;

const INITIAL_ROWS = 256;

export function createFingerprintBuffer(): FingerprintBuffer {
  let words = new Int32Array(0);
  let used = 0;
  return {
    add(fingerprints, at) {
      if (used === words.length) words = larger(words);
      for (let i = 0; i < PRINT_WORDS; i++) words[used + i] = fingerprints[at + i] ?? 0;
      used += PRINT_WORDS;
    },
    words: () => words.slice(0, used),
  };
}

function larger(words: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(Math.max(2 * words.length, INITIAL_ROWS * PRINT_WORDS));
  copy.set(words);
  return copy;
}
