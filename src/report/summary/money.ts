import type { BatchReport } from '../../domain/report/report.ts';
import type { CurrencyAmounts } from '../../domain/report/totals.ts';
import { currencyText, moneyText } from '../../domain/text/money-text.ts';
import {
  differenceOfAmounts,
  differenceOfRows,
  OUTCOME_FIELDS,
  rowsInWords,
} from '../outcome-fields.ts';
import { withCommas } from '../../domain/text/counted.ts';
import { amountCell, columnAmount, decimalsOfColumn } from './amount-cell.ts';
import { CHART_PATTERNS, currencyBar } from './chart.ts';
import { type Html, html, NOTHING } from './html.ts';
import { section, type SummaryColumn, table } from './table.ts';
import { balanceText } from '../../domain/funds/balance-check.ts';
import type { BalanceLine } from '../../domain/funds/compare-balance.ts';

/** Currencies in one table. More amounts with 18 decimals do not fit on a printed page. */
const CURRENCIES_PER_TABLE = 4;

/** The section on amounts: bars, a ledger, and the sum that proves that no amount is missing. */
export const moneySection = (report: BatchReport): Html =>
  section(
    'Where the money went',
    report.amounts.length === 0 ? NOTHING : CHART_PATTERNS,
    html`${report.amounts.map(currencyBar)}`,
    ledger(report),
    differences(report),
  );

/** A line of the ledger: its title and the field of its figures. */
type Line = Readonly<{ title: string; field: Figure }>;
type Figure = 'requested' | (typeof OUTCOME_FIELDS)[number]['field'] | 'difference' | 'fee';

const LINES: readonly Line[] = [
  { title: 'Requested', field: 'requested' },
  ...OUTCOME_FIELDS.map(({ label, field }) => ({ title: label, field })),
  { title: 'Difference', field: 'difference' },
  { title: 'Fee stated', field: 'fee' },
];

function ledger({ rows, amounts }: BatchReport): Html {
  const title: SummaryColumn<Line> = { title: '', kind: 'word', cell: (line) => line.title };
  const difference = differenceOfRows(rows);
  const counts = { ...rows, requested: rows.total, difference };
  const rowCounts: SummaryColumn<Line> = {
    title: 'Rows',
    kind: 'count',
    cell: ({ field }) => (field === 'fee' ? '' : withCommas(counts[field])),
  };
  const columns = [rowCounts, ...amounts.map(currencyColumn)];
  const tables: Html[] = [];
  for (let from = 0; from < columns.length; from += 1 + CURRENCIES_PER_TABLE) {
    const beside = columns.slice(from, from + 1 + CURRENCIES_PER_TABLE);
    tables.push(
      table({ caption: 'Rows and amounts by outcome', columns: [title, ...beside], items: LINES }),
    );
  }
  return html`<div class="ledger">${tables}</div>
`;
}

function currencyColumn(line: CurrencyAmounts): SummaryColumn<Line> {
  const amounts = { ...line, difference: differenceOfAmounts(line) };
  const { currency } = line;
  const decimals = decimalsOfColumn(
    LINES.map(({ field }) => ({ amount: amounts[field], currency })),
  );
  return {
    title: currencyText(currency),
    kind: 'amount',
    cell: ({ field }) => columnAmount({ amount: amounts[field], currency }, decimals),
  };
}

function differences({ rows, amounts }: BatchReport): Html {
  const figures = [
    rowsInWords(differenceOfRows(rows)),
    ...amounts.map((line) => moneyText(differenceOfAmounts(line), line.currency)),
  ];
  return html`<p class="proof">Requested − (paid + failed + not sent + unknown + in flight):
<strong>difference ${figures.join(', ')}</strong>.
Every row and every amount of the file has an outcome.</p>
${feeNote(amounts)}`;
}

const feeNote = (amounts: BatchReport['amounts']): Html =>
  amounts.some(({ feeIncludesUnpaid }) => feeIncludesUnpaid === true)
    ? html`<p class="note">The mass payouts state this fee, and it includes rows that were not paid. The
charged fee may be lower. <code>bursar reconcile</code> shows it.</p>
`
    : NOTHING;

/** The result of the balance check, with the balances before the first create and after the end. */
export const balanceSection = ({ balance: check }: BatchReport): Html =>
  section(
    'Balance of the account',
    html`<p>${balanceText(check)}</p>
${check.lines.length === 0 ? '' : figures(check.lines)}`,
  );

const figures = (items: readonly BalanceLine[]): Html =>
  table<BalanceLine>({
    caption: 'The balance before the first payment and after the last one',
    columns: [
      { title: 'Currency', kind: 'word', cell: ({ currency }) => currencyText(currency) },
      balanceColumn('Opening', 'opening'),
      balanceColumn('Closing', 'closing'),
      balanceColumn('Left', 'left'),
      balanceColumn('Explained at least', 'atLeast'),
      balanceColumn('Explained at most', 'atMost'),
      balanceColumn('Unexplained', 'unexplained'),
    ],
    items,
  });

type BalanceFigure = 'opening' | 'closing' | 'left' | 'atLeast' | 'atMost' | 'unexplained';

const balanceColumn = (title: string, field: BalanceFigure): SummaryColumn<BalanceLine> => ({
  title,
  kind: 'amount',
  cell: ({ currency, [field]: amount }) =>
    amount === null ? 'unknown' : amountCell({ amount, currency }),
});
