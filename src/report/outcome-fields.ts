import { codeInSentence } from '../domain/text/state-words.ts';
import type { ChunkState } from '../domain/batch/chunk-state.ts';
import { counted, withCommas } from '../domain/text/counted.ts';
import { type Amount, formatAmount, subtractAmounts, sumAmounts } from '../domain/money/amount.ts';
import { parseSignedAmount } from '../domain/money/signed-amount.ts';
import type { CurrencyAmounts, RowCounts } from '../domain/report/totals.ts';

/**
 * The outcomes as totals hold them and as people read them, in the order in which they are shown.
 */
export const OUTCOME_FIELDS = [
  { field: 'paid', label: 'Paid' },
  { field: 'failed', label: 'Failed' },
  { field: 'notSent', label: 'Not sent' },
  { field: 'unknown', label: 'Unknown' },
  { field: 'inFlight', label: 'In flight' },
] as const;

/** What people read of rows, and of a chunk, that have not left yet; nothing of a batch that has ended. */
export const NOT_SENT_YET = 'not sent yet';

/** The state of a chunk, or of its mass payout, as people read it. */
export const chunkStateText = (state: string): string =>
  state === ('PLANNED' satisfies ChunkState) ? NOT_SENT_YET : codeInSentence(state);

/** The outcomes of a batch that may be under way, in small letters. */
export const OPEN_FIELDS = [
  ...OUTCOME_FIELDS.map(({ field, label }) => ({ field, label: label.toLowerCase() })),
  { field: 'notSentYet', label: NOT_SENT_YET },
] as const;

export type OutcomeField = (typeof OUTCOME_FIELDS)[number]['field'];

/** Requested less every outcome: "0", or the report must not exist. */
export const differenceOfAmounts = (line: CurrencyAmounts): string =>
  formatAmount(subtractAmounts(parseSignedAmount(line.requested), accountedFor(line)));

export const differenceOfRows = (rows: RowCounts): number =>
  OUTCOME_FIELDS.reduce((rest, { field }) => rest - rows[field], rows.total);

const accountedFor = (line: CurrencyAmounts): Amount =>
  sumAmounts(OUTCOME_FIELDS.map(({ field }) => parseSignedAmount(line[field])));

/** So many rows, in words: `1 row`, `1,000 rows`. */
export const rowsInWords = (count: number): string => counted(count, 'row');

export { withCommas };
