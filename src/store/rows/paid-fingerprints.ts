import type { Outcome } from '../../domain/settling/outcome.ts';
import { IDENTITY_WORDS } from '../../domain/payees/identity.ts';
import { PART, PRINT_WORDS, type PrintSegment } from '../../domain/plan/row-print.ts';
import { SENT_STATES } from './counted-payments.ts';
import { wordsOf } from './words-of.ts';

/** Prints of rows that may have been paid. `sent`: whether they were sent, and not only may yet be. */
export type PastSegment = PrintSegment & Readonly<{ sent: boolean }>;

/** A chunk's prints, and where it stands; it has no state before its batch was planned. */
export type SettledChunk = Readonly<{
  chunk: number;
  currency: string;
  prints: Uint8Array;
  identities: Uint8Array | null;
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
 * rows that differ from the chunk's. `identities`: missing: its rows have none, or they are not wanted.
 */
export function pastSegment(
  chunk: SettledChunk,
  outcomes: ReadonlyMap<number, string>,
  identities?: Int32Array,
): PastSegment | undefined {
  const { state, currency, default_outcome: others } = chunk;
  const sent = (SENT_STATES as readonly (string | null)[]).includes(state);
  if (!sent && !WAITING_STATES.includes(state)) return undefined;
  const fingerprints = wordsOf(chunk.prints);
  const whole = { prints: fingerprints, ...(identities === undefined ? {} : { identities }) };
  if (chunk.final !== 1) return { currency, sent, ...whole };
  const isUnpaid = (row: number): boolean => UNPAID.includes(outcomes.get(row) ?? others ?? '');
  const kept =
    outcomes.size === 0 && !UNPAID.includes(others ?? '') ? whole : without(whole, isUnpaid);
  return kept.prints.length === 0 ? undefined : { currency, sent, ...kept };
}

type Prints = Readonly<{ prints: Int32Array; identities?: Int32Array }>;

function without({ prints, identities }: Prints, isLeftOut: (row: number) => boolean): Prints {
  const kept = new Int32Array(prints.length);
  const keptIdentities = new Int32Array(identities?.length ?? 0);
  let rows = 0;
  for (let i = 0, at = 0; at < prints.length; i++, at += PRINT_WORDS) {
    if (isLeftOut(prints[at + PART.number] ?? 0)) continue;
    kept.set(prints.subarray(at, at + PRINT_WORDS), rows * PRINT_WORDS);
    if (identities !== undefined) {
      const from = i * IDENTITY_WORDS;
      keptIdentities.set(identities.subarray(from, from + IDENTITY_WORDS), rows * IDENTITY_WORDS);
    }
    rows += 1;
  }
  return {
    prints: kept.subarray(0, rows * PRINT_WORDS),
    ...(identities === undefined
      ? {}
      : { identities: keptIdentities.subarray(0, rows * IDENTITY_WORDS) }),
  };
}
