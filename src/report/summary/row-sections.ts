import { noteOf } from '../../domain/errors/bursar-error.ts';
import { counted, withCommas } from '../../domain/text/counted.ts';
import { currencyText } from '../../domain/text/money-text.ts';
import type { BatchReport, ReportRow } from '../../domain/report/report.ts';
import { fixTextOfAll, investigationText, reasonText } from '../row-advice.ts';
import type { Excerpt } from '../excerpt.ts';
import { columnAmount, decimalsOfColumn } from './amount-cell.ts';
import { type Html, html, NOTHING } from './html.ts';
import { type SummaryColumn, section, shortened, table } from './table.ts';

/** The failed rows, with reasons and fixes. */
export function failedRowsSection({ rows }: BatchReport, { failed, failedBy }: Excerpt): Html {
  if (failed.length === 0) return NOTHING;
  return section(
    'Failed rows',
    html`<p>${fixTextOfAll(failedBy)}</p>
`,
    table({
      caption: 'Rows that the service did not pay',
      columns: [...paymentColumns(failed), { title: 'Why', kind: 'text', cell: whyFailed }],
      items: failed,
    }),
    moreRows(failed.length, rows.failed, 'failed.csv'),
  );
}

const whyFailed = (row: ReportRow): Html =>
  twoLines(reasonText(row), row.resentAs === undefined ? '' : `sent again as ${row.resentAs}`);

/** The rows that may or may not have been paid. */
export function investigateSection(report: BatchReport, { investigate }: Excerpt): Html {
  if (investigate.length === 0) return NOTHING;
  const question: SummaryColumn<ReportRow> = {
    title: 'Why, and what to find out',
    kind: 'text',
    cell: (row) => twoLines(reasonText(row), investigationText(row, report)),
  };
  return section(
    'Rows to investigate',
    html`<p>These rows may have been paid. They are not in resend.csv, because a resend could pay them
twice.</p>
`,
    table({
      caption: 'Rows with an unknown outcome',
      columns: [...paymentColumns(investigate), question],
      items: investigate,
    }),
    moreRows(investigate.length, report.rows.unknown + report.rows.inFlight, 'investigate.csv'),
  );
}

/** The refused rows, with one line for each reason. */
export function refusedRowsSection(
  { refusedRows: total }: BatchReport,
  { refused }: Excerpt,
): Html {
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
    html`<p>Bursar refused ${counted(total, 'row')} of the file. The file <a href="nack.csv">nack.csv</a> has all
reasons.</p>
`,
    table({ caption: 'Rows that were refused', columns, items: notes }),
  );
}

const moreRows = (shown: number, total: number, file: string): Html =>
  shown < total ? shortened(withCommas(shown), withCommas(total), file) : NOTHING;

function paymentColumns(rows: readonly ReportRow[]): SummaryColumn<ReportRow>[] {
  const decimals = decimalsOfColumn(rows);
  return [
    { title: 'Row', kind: 'count', cell: ({ row }) => String(row) },
    { title: 'Amount', kind: 'amount', cell: (row) => columnAmount(row, decimals) },
    { title: 'Currency', kind: 'word', cell: ({ currency }) => currencyText(currency) },
    { title: 'Address, withdrawal', kind: 'id', cell: recipientCell },
    {
      title: 'Name, reference, comment',
      kind: 'text',
      cell: ({ name, reference, comment }) =>
        name === ''
          ? twoLines(reference, comment)
          : twoLines(name, [reference, comment].filter((text) => text !== '').join(', ')),
    },
  ];
}

const recipientCell = ({ address, withdrawalId }: ReportRow): Html =>
  twoLines(address, withdrawalId);

/** A cell with a second, smaller line. Either text may be empty. */
function twoLines(first: string, second: string): Html {
  const between = first === '' || second === '' ? NOTHING : html`<br>`;
  return html`<div class="pair">${first}${between}<small>${second}</small></div>`;
}
