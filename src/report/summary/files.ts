import { withCommas } from '../outcome-fields.ts';
import { type Html, html } from './html.ts';
import { section, table } from './table.ts';

/** A file of the report and how many lines it has below its header. */
export type ReportFile = Readonly<{ name: string; rows: number }>;

const PURPOSES: Readonly<Record<string, string>> = {
  'report.csv': 'every row with its outcome, ids and fee',
  'failed.csv': 'the rows that failed, why, and what to do',
  'resend.csv':
    'the rows that are provably unpaid and that no resend has, as submitted: "bursar resend" sends them again',
  'investigate.csv': 'the rows of which nobody knows yet; never send these again unseen',
  'nack.csv': 'the rows that were refused when the file was read, with every reason',
};

/** What stands beside the summary. */
export const reportFiles = (files: readonly ReportFile[]): Html =>
  section(
    'Files of this report',
    table<Readonly<{ name: string; count: string; purpose: string }>>({
      caption: 'Files beside this page',
      columns: [
        { title: 'File', kind: 'word', cell: ({ name }) => html`<a href="${name}">${name}</a>` },
        { title: 'Lines', kind: 'count', cell: ({ count }) => count },
        { title: 'Holds', kind: 'text', cell: ({ purpose }) => purpose },
      ],
      items: [
        { name: 'report.json', count: '', purpose: 'everything on this page, for programs' },
        ...files.map(({ name, rows }) => ({
          name,
          count: withCommas(rows),
          purpose: PURPOSES[name] ?? '',
        })),
      ],
    }),
  );
