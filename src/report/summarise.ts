import { batchStateWords } from '../domain/text/state-words.ts';
import { balanceText } from '../domain/funds/balance-check.ts';
import { isEndState } from '../domain/batch/batch-state.ts';
import type { BatchView } from '../domain/report/report.ts';
import { OPEN_FIELDS, rowsInWords, withCommas } from './outcome-fields.ts';

/**
 * The few lines that a command prints about a batch: counts, amounts of each currency, and where to
 * look. Plain text.
 */
export const summarise = (view: BatchView): string =>
  [
    [`Batch ${view.batchId}: ${batchStateWords(view.state)}`, countsOf(view), ...problemOf(view)],
    [...amountsTable(view), ...feeNote(view)],
    balanceLine(view),
    [...operatorLines(view), ...reportLine(view)],
  ]
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');

/** What the balances proved is only known at the end. */
const balanceLine = ({ state, balance }: BatchView): string[] =>
  balance === undefined || !isEndState(state) ? [] : [balanceText(balance)];

function countsOf({ rows }: BatchView): string {
  const counts = OPEN_FIELDS.map(({ field, label }) => ({ field, label, count: rows[field] ?? 0 }));
  const rest = counts.filter(({ field, count }) => field !== 'paid' && count > 0);
  return [
    `${withCommas(rows.paid)} of ${rowsInWords(rows.total)} paid`,
    ...rest.map(({ label, count }) => `${withCommas(count)} ${label}`),
  ].join(', ');
}

const problemOf = ({ error }: BatchView): string[] =>
  error === null ? [] : [`${error.code}: ${error.what}`, `  ${error.why}`, `  ${error.fix}`];

/** Columns that are there even when nothing stands in them. */
const ALWAYS_SHOWN = ['requested', 'paid', 'fee'];

/**
 * Amounts with their decimal points below each other; an outcome that nothing has, has no column.
 */
function amountsTable(view: BatchView): string[] {
  const { amounts } = view;
  if (amounts.length === 0) return [];
  const columns = [
    { title: 'requested', field: 'requested' as const },
    ...OPEN_FIELDS.map(({ field, label }) => ({ title: label, field })),
    { title: 'fee stated', field: 'fee' as const },
  ].filter(
    ({ field }) =>
      ALWAYS_SHOWN.includes(field) || amounts.some((line) => (line[field] ?? '0') !== '0'),
  );
  const names = padEnd(['', ...amounts.map(({ currency }) => currency)]);
  const cells = columns.map(({ title, field }) =>
    padStart([title, ...alignPoints(amounts.map((line) => line[field] ?? '0'))]),
  );
  return names.map((name, i) => [name, ...cells.map((cell) => cell[i])].join('  ').trimEnd());
}

/** What a mass payout states counts its rows that failed too, and no field of it says what was charged. */
const feeNote = ({ batchId, amounts }: BatchView): string[] =>
  amounts.some(({ feeIncludesUnpaid }) => feeIncludesUnpaid === true)
    ? [
        'The fee stated is for rows too that were not paid. What was charged: ' +
          `bursar reconcile ${batchId}`,
      ]
    : [];

/**
 * Fills up fractions with spaces, so that the points of right-aligned amounts stand below each
 * other.
 */
function alignPoints(amounts: readonly string[]): string[] {
  const tailOf = (amount: string): number =>
    amount.includes('.') ? amount.length - amount.indexOf('.') : 0;
  const longest = Math.max(...amounts.map(tailOf));
  return amounts.map((amount) => amount + ' '.repeat(longest - tailOf(amount)));
}

const widthOf = (cells: readonly string[]): number => Math.max(...cells.map((cell) => cell.length));
const padStart = (cells: readonly string[]): string[] =>
  cells.map((cell) => cell.padStart(widthOf(cells)));
const padEnd = (cells: readonly string[]): string[] =>
  cells.map((cell) => cell.padEnd(widthOf(cells)));

/** Operator cases that are printed; `status -o json` has all. */
const CASES_SHOWN_MAX = 10;

function operatorLines({ batchId, needsOperator }: BatchView): string[] {
  const more = needsOperator.length - CASES_SHOWN_MAX;
  const lines = needsOperator
    .slice(0, CASES_SHOWN_MAX)
    .flatMap(({ chunk, reason }) => [
      `Chunk ${chunk} needs an operator: ${reason}`,
      `  bursar resolve ${batchId} ${chunk} adopt ID | not-created | abandon`,
    ]);
  return more > 0 ? [...lines, `${withCommas(more)} more chunks need an operator.`] : lines;
}

const reportLine = ({ state, reportDir }: BatchView): string[] =>
  isEndState(state) ? [`Report: ${reportDir}/summary.html`] : [];
