import { withCommas } from '../outcome-fields.ts';
import { type Html, html } from './html.ts';
import { section, table } from './table.ts';

/** A file of the report, with its number of lines below the header. */
export type ReportFile = Readonly<{ name: string; rows: number }>;

const PURPOSES: Readonly<Record<string, string>> = {
  'report.csv': 'every row with its outcome, ids and fee',
  'failed.csv': 'the rows that failed, with reason and fix',
  'resend.csv':
    'the rows that are provably unpaid and in no resend; "bursar resend" sends them again',
  'investigate.csv': 'the rows that may have been paid; find out before you send one again',
  'nack.csv': 'the rows that Bursar refused when it read the file, with every reason',
};

/** The list of the files beside the page. */
export const filesSection = (files: readonly ReportFile[]): Html =>
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
