import type { Outcome } from '../../domain/settling/outcome.ts';
import { PART, PRINT_WORDS, type PrintSegment } from '../../domain/plan/row-print.ts';
import { SENT_STATES } from './counted-payments.ts';

/** Prints of rows that may have been paid. `sent`: whether they were sent, and not only may yet be. */
export type PastSegment = PrintSegment & Readonly<{ sent: boolean }>;

/** A chunk's prints, and where it stands; it has no state before its batch was planned. */
export type SettledChunk = Readonly<{
  chunk: number;
  currency: string;
  prints: Uint8Array;
  state: string | null;
  default_outcome: string | null;
  final: number | null;
}>;

/** Ends of rows to which no money went. People may yet change them; then the batch's own report has the change. */
const UNPAID: readonly string[] = ['FAILED', 'NOT_SENT'] satisfies Outcome[];

/** States of a chunk whose rows may yet be paid. */
const WAITING_STATES: readonly (string | null)[] = [null, 'PLANNED'];

/**
 * The rows of a chunk that may have been paid or may yet be; undefined when there are none. `outcomes`: those of single
 * rows that differ from the chunk's.
 */
export function pastSegment(
  chunk: SettledChunk,
  outcomes: ReadonlyMap<number, string>,
): PastSegment | undefined {
  const { state, currency, default_outcome: others } = chunk;
  const sent = (SENT_STATES as readonly (string | null)[]).includes(state);
  if (!sent && !WAITING_STATES.includes(state)) return undefined;
  const fingerprints = wordsOf(chunk.prints);
  if (chunk.final !== 1) return { currency, sent, prints: fingerprints };
  const isUnpaid = (row: number): boolean => UNPAID.includes(outcomes.get(row) ?? others ?? '');
  const kept =
    outcomes.size === 0 && !UNPAID.includes(others ?? '')
      ? fingerprints
      : without(fingerprints, isUnpaid);
  return kept.length === 0 ? undefined : { currency, sent, prints: kept };
}

function without(fingerprints: Int32Array, isLeftOut: (row: number) => boolean): Int32Array {
  const kept = new Int32Array(fingerprints.length);
  let used = 0;
  for (let at = 0; at < fingerprints.length; at += PRINT_WORDS) {
    if (isLeftOut(fingerprints[at + PART.number] ?? 0)) continue;
    kept.set(fingerprints.subarray(at, at + PRINT_WORDS), used);
    used += PRINT_WORDS;
  }
  return kept.subarray(0, used);
}

/**
 * The words of a blob, as the processor that wrote them has them. The driver gives a blob as a buffer of its own, others
 * as a window on one; a window may begin anywhere, words may not.
 */
export const wordsOf = (blob: Uint8Array | ArrayBuffer): Int32Array =>
  // Not by slice: that of a Buffer is a window again.
  new Int32Array(ArrayBuffer.isView(blob) ? Uint8Array.from(blob).buffer : blob);
