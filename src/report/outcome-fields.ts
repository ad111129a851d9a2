import type { BatchState } from '../domain/batch/batch-state.ts';
import { counted, withCommas } from '../domain/text/counted.ts';
import { type Amount, formatAmount, subtractAmounts, sumAmounts } from '../domain/money/amount.ts';
import { parseSignedAmount } from '../domain/money/signed-amount.ts';
import type { BatchView } from '../domain/report/report.ts';
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

/** States of a batch before it creates anything; one that comes back to them after that has chunks that say so. */
const BEFORE_PAYING: readonly BatchState[] = [
  'INGESTING',
  'PLANNED',
  'AWAITING_APPROVAL',
  'SCHEDULED',
  'CHECKING_FUNDS',
  'AWAITING_FUNDS',
];

/** What people read of rows whose outcome is open: nothing is in flight before a chunk was sent. */
export const openLabel = ({ state, chunks }: Pick<BatchView, 'state' | 'chunks'>): string =>
  BEFORE_PAYING.includes(state) && Object.keys(chunks.byState).every((one) => one === 'PLANNED')
    ? 'not sent yet'
    : 'in flight';

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
