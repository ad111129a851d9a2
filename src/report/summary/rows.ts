import { noteOf } from '../../domain/errors/bursar-error.ts';
import type { BatchReport, ReportRow } from '../../domain/report/report.ts';
import { fixOfAll, lookForOf, whyOf } from '../advice.ts';
import type { Excerpt } from '../excerpt.ts';
import { withCommas } from '../outcome-fields.ts';
import { columnAmount, decimalsOfColumn } from './amount-cell.ts';
import { type Html, html, NOTHING } from './html.ts';
import { type SummaryColumn, section, shortened, table } from './table.ts';

/** The rows that failed, why, and what to do about them. */
export function failedRows({ rows }: BatchReport, { failed, failedBy }: Excerpt): Html {
  if (failed.length === 0) return NOTHING;
  return section(
    'Failed rows',
    html`<p>${fixOfAll(failedBy)}</p>
`,
    table({
      caption: 'Rows that the service did not pay',
      columns: [...paymentColumns(failed), { title: 'Why', kind: 'text', cell: whyFailed }],
      items: failed,
    }),
    rest(failed.length, rows.failed, 'failed.csv'),
  );
}

const whyFailed = (row: ReportRow): Html =>
  twoLines(whyOf(row), row.resentAs === undefined ? '' : `sent again as ${row.resentAs}`);

/** The rows of which nobody knows yet whether they were paid. */
export function rowsToInvestigate(report: BatchReport, { investigate }: Excerpt): Html {
  if (investigate.length === 0) return NOTHING;
  const lookFor: SummaryColumn<ReportRow> = {
    title: 'Why, and what to look for',
    kind: 'text',
    cell: (row) => twoLines(whyOf(row), lookForOf(row, report)),
  };
  return section(
    'Rows to investigate',
    html`<p>It is not known whether these rows were paid.
They are not in resend.csv: sending them again could pay them twice.</p>
`,
    table({
      caption: 'Rows with an unknown outcome',
      columns: [...paymentColumns(investigate), lookFor],
      items: investigate,
    }),
    rest(investigate.length, report.rows.unknown + report.rows.inFlight, 'investigate.csv'),
  );
}

/** The rows that were refused when the file was read; a row stands here once for each reason. */
export function refusedRows({ refusedRows: total }: BatchReport, { refused }: Excerpt): Html {
  if (refused.length === 0) return NOTHING;
  const notes = refused.map((reason) => ({ ...reason, note: noteOf(reason.code, reason.facts) }));
  type Explained = (typeof notes)[number];
  const columns: SummaryColumn<Explained>[] = [
    { title: 'Row', kind: 'count', cell: ({ row }) => String(row) },
    { title: 'Column', kind: 'word', cell: ({ column }) => column },
    { title: 'What is wrong', kind: 'text', cell: ({ note }) => note.what },
    { title: 'What to do', kind: 'text', cell: ({ note }) => note.fix },
    { title: 'Code', kind: 'code', cell: ({ code }) => code },
  ];
  return section(
    'Refused rows',
    html`<p>${withCommas(total)} of the file's rows could not be sent as they stand;
all reasons stand in <a href="nack.csv">nack.csv</a>.</p>
`,
    table({ caption: 'Rows that were refused', columns, items: notes }),
  );
}

const rest = (shown: number, total: number, file: string): Html =>
  shown < total ? shortened(withCommas(shown), withCommas(total), file) : NOTHING;

function paymentColumns(rows: readonly ReportRow[]): SummaryColumn<ReportRow>[] {
  const decimals = decimalsOfColumn(rows.map(({ amount }) => amount));
  return [
    { title: 'Row', kind: 'count', cell: ({ row }) => String(row) },
    { title: 'Amount', kind: 'amount', cell: ({ amount }) => columnAmount(amount, decimals) },
    { title: 'Currency', kind: 'word', cell: ({ currency }) => currency },
    { title: 'Address, withdrawal', kind: 'id', cell: whereTo },
    {
      title: 'Reference, comment',
      kind: 'text',
      cell: (row) => twoLines(row.reference, row.comment),
    },
  ];
}

const whereTo = ({ address, withdrawalId }: ReportRow): Html => twoLines(address, withdrawalId);

/** A cell that says one thing and, smaller, another; either may be empty. */
function twoLines(first: string, second: string): Html {
  const between = first === '' || second === '' ? NOTHING : html`<br>`;
  return html`<div class="pair">${first}${between}<small>${second}</small></div>`;
}
