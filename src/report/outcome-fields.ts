import { codeInSentence } from '../domain/text/state-words.ts';
import type { ChunkState } from '../domain/batch/chunk-state.ts';
import { counted } from '../domain/text/counted.ts';
import { type Amount, formatAmount, subtractAmounts, sumAmounts } from '../domain/money/amount.ts';
import { parseSignedAmount } from '../domain/money/signed-amount.ts';
import type { CurrencyAmounts, RowCounts } from '../domain/report/totals.ts';

/** The outcomes in the order in which people read them, with their fields in totals. */
export const OUTCOME_FIELDS = [
  { field: 'paid', label: 'Paid' },
  { field: 'failed', label: 'Failed' },
  { field: 'notSent', label: 'Not sent' },
  { field: 'unknown', label: 'Unknown' },
  { field: 'inFlight', label: 'In flight' },
] as const;

/** The name of the state of rows and chunks whose create request is not sent yet. */
export const NOT_SENT_YET = 'not sent yet';

/** The state of a chunk, or of its mass payout, for people. */
export const chunkStateText = (state: string): string =>
  state === ('PLANNED' satisfies ChunkState) ? NOT_SENT_YET : codeInSentence(state);

/** The outcomes of a batch that may be open, in lower case. */
export const OPEN_FIELDS = [
  ...OUTCOME_FIELDS.map(({ field, label }) => ({ field, label: label.toLowerCase() })),
  { field: 'notSentYet', label: NOT_SENT_YET },
] as const;

export type OutcomeField = (typeof OUTCOME_FIELDS)[number]['field'];

/** Requested amount minus all outcomes. It is "0" in every report that may be written. */
export const differenceOfAmounts = (line: CurrencyAmounts): string =>
  formatAmount(subtractAmounts(parseSignedAmount(line.requested), sumOfOutcomes(line)));

/** Rows of the file minus the rows of all outcomes. It is 0 in every report that may be written. */
export const differenceOfRows = (rows: RowCounts): number =>
  OUTCOME_FIELDS.reduce((left, { field }) => left - rows[field], rows.total);

const sumOfOutcomes = (line: CurrencyAmounts): Amount =>
  sumAmounts(OUTCOME_FIELDS.map(({ field }) => parseSignedAmount(line[field])));

/** A number of rows in words: `1 row`, `1,000 rows`. */
export const rowsInWords = (count: number): string => counted(count, 'row');
