import type { ChunkState } from '../batch/chunk-state.ts';
import type { Outcome } from '../settling/outcome.ts';

/*
 * lineage     a batch and its resends, in a line: root, resend 1, resend 2 ...
 * generation  a batch of a lineage, counted from 0; every row keeps the number that it has in the file
 * inclusion   what one generation says of a row that it holds
 */

/** The outcome of a row. */
export type RowEnd = Readonly<{
  outcome: Outcome;
  /** Whether that is an end: from a signed read, or nothing was ever created. */
  isEnd: boolean;
}>;

/** One generation's record of a row that it holds. */
export type Inclusion = RowEnd & Readonly<{ generation: number }>;

/**
 * The outcome of a row over all its generations. UNPAID: it may be sent again. PAID_TWICE and MAYBE_TWICE: more than
 * one generation has paid it, or may have. UNKNOWN and OPEN: it has no certain outcome for ever, or not yet.
 */
export type LineageOutcome = 'UNPAID' | 'PAID' | 'UNKNOWN' | 'OPEN' | 'PAID_TWICE' | 'MAYBE_TWICE';

/** Ends of a chunk by which its outcomes count: created and read to the end, refused, or never sent. */
const ENDS: readonly ChunkState[] = ['CREATED', 'REJECTED', 'NOT_SENT'];

/** Whether the stored outcome of a chunk's rows is an end. A chunk that a person gave up never has one. */
export const isEndOfChunk = ({ state, final }: Readonly<{ state: ChunkState; final: boolean }>) =>
  final && ENDS.includes(state);

/** Whether this generation provably did not pay the row. */
export const isUnpaid = ({ outcome, isEnd }: RowEnd): boolean =>
  isEnd && (outcome === 'FAILED' || outcome === 'NOT_SENT');

/**
 * The outcome of a row. It may be sent again only if every generation that holds it has it as unpaid, and not the
 * newest alone: an older mass payout can be sent again in the service's own interface at any time.
 */
export function standingOf(history: readonly Inclusion[]): LineageOutcome {
  const doubtful = history.filter((inclusion) => !isUnpaid(inclusion));
  const [only] = doubtful;
  if (only === undefined) return history.length === 0 ? 'UNKNOWN' : 'UNPAID';
  const paid = doubtful.filter(({ outcome }) => outcome === 'PAID');
  if (paid.length > 1) return 'PAID_TWICE';
  if (doubtful.length > 1) return 'MAYBE_TWICE';
  if (paid.length === 1) return 'PAID';
  return only.outcome === 'UNKNOWN' ? 'UNKNOWN' : 'OPEN';
}

/** The generation that people are shown: the newest that holds the row, unless an older one has paid it. */
export const tellingOf = <Some extends Inclusion>(history: readonly Some[]): Some | undefined =>
  history.findLast((inclusion) => !isUnpaid(inclusion)) ?? history.at(-1);
