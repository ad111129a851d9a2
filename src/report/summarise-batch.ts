import { batchStateWords } from '../domain/text/state-words.ts';
import { balanceText } from '../domain/funds/balance-check.ts';
import { isEndState } from '../domain/batch/batch-state.ts';
import type { BatchView } from '../domain/report/report.ts';
import { OPEN_FIELDS, rowsInWords } from './outcome-fields.ts';
import { withCommas } from '../domain/text/counted.ts';
import { amountText, currencyText } from '../domain/text/money-text.ts';

/** Returns the plain text of a batch for a command: counts, amounts, and the place of the report. */
export const summariseBatch = (view: BatchView): string =>
  [
    [
      `Batch ${view.batchId}: ${batchStateWords(view.state)}`,
      ...countsOf(view),
      ...problemOf(view),
    ],
    [...amountsTable(view), ...feeNote(view)],
    balanceLine(view),
    [...operatorLines(view), ...reportLine(view)],
  ]
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');

/** The result of the balance check. An open batch has none. */
const balanceLine = ({ state, balance }: BatchView): string[] =>
  balance === undefined || !isEndState(state) ? [] : [balanceText(balance)];

/** Before its file is read a batch has no counts. */
function countsOf({ rows }: BatchView): string[] {
  if (rows.total === 0) return [];
  const counts = OPEN_FIELDS.map(({ field, label }) => ({ field, label, count: rows[field] ?? 0 }));
  const others = counts.filter(({ field, count }) => field !== 'paid' && count > 0);
  const texts = [
    `${withCommas(rows.paid)} of ${rowsInWords(rows.total)} paid`,
    ...others.map(({ label, count }) => `${withCommas(count)} ${label}`),
  ];
  return [texts.join(', ')];
}

const problemOf = ({ error }: BatchView): string[] =>
  error === null ? [] : [`${error.code}: ${error.what}`, `  ${error.why}`, `  ${error.fix}`];

/** Columns that the table always has. */
const ALWAYS_SHOWN = ['requested', 'paid', 'fee'];

/** Amounts, aligned at the decimal point. An outcome without an amount has no column. */
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
  const names = padEnd(['', ...amounts.map(({ currency }) => currencyText(currency))]);
  const cells = columns.map(({ title, field }) =>
    padStart([
      title,
      ...alignPoints(amounts.map((line) => amountText(line[field] ?? '0', line.currency))),
    ]),
  );
  return names.map((name, i) => [name, ...cells.map((cell) => cell[i])].join('  ').trimEnd());
}

/** The fee of a mass payout includes failed rows. No field of it holds the charged fee. */
const feeNote = ({ batchId, amounts }: BatchView): string[] =>
  amounts.some(({ feeIncludesUnpaid }) => feeIncludesUnpaid === true)
    ? [
        `The fee stated is for all rows, including failed ones. For the fee really charged: bursar reconcile ${batchId}`,
      ]
    : [];

/** Pads fractions with spaces, so that right-aligned amounts have their points in one column. */
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

/** Operator cases in the text. `status -o json` has all. */
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

function reportLine(view: BatchView): string[] {
  if (!isEndState(view.state)) return [];
  return [
    `Report: ${reportPlaceOf(view)}/summary.html`,
    ...(bucketUrlOf(view) === undefined
      ? []
      : [`  To copy it to this machine: bursar report ${view.batchId} --out DIR`]),
  ];
}

const bucketUrlOf = ({ reportUrl }: BatchView): string | undefined =>
  reportUrl?.startsWith('s3:') === true ? reportUrl : undefined;

/** Where people find the report of a batch: its address in a bucket, or its folder on this machine. */
export const reportPlaceOf = (view: BatchView): string => bucketUrlOf(view) ?? view.reportDir;
