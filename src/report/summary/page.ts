import { createHash } from 'node:crypto';
import type { BatchReport } from '../../domain/report/report.ts';
import type { Excerpt } from '../excerpt.ts';
import { approvalsSection } from './approvals.ts';
import { balanceSection, moneySection } from './money.ts';
import { findingsSection } from './findings.ts';
import { headline, reportHead } from './head.ts';
import { holdsSection } from './holds.ts';
import { html, type Html, trusted } from './html.ts';
import { massPayoutsSection } from './mass-payouts.ts';
import { operatorCasesSection } from './operator-cases.ts';
import { failedRowsSection, investigateSection, refusedRowsSection } from './row-sections.ts';
import { STYLE } from './page-style.ts';
import { withCommas } from '../../domain/text/counted.ts';
import { section, table } from './table.ts';

export type SummaryInput = Readonly<{
  report: BatchReport;
  excerpt: Excerpt;
  /** The CSV files beside the page. */
  files: readonly ReportFile[];
}>;

/** The content security policy. The page loads and runs nothing, and uses only its own style. */
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Returns the report as one HTML page to read, print or give to an auditor. It loads no other file.
 */
export const summaryPage = ({ report, excerpt, files }: SummaryInput): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${report.batchId}: ${headline(report)}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
${reportHead(report)}
${operatorCasesSection(report)}
${moneySection(report)}
${balanceSection(report)}
${failedRowsSection(report, excerpt)}
${investigateSection(report, excerpt)}
${refusedRowsSection(report, excerpt)}
${findingsSection(report)}
${approvalsSection(report)}
${holdsSection(report)}
${massPayoutsSection(report)}
${filesSection(files)}
<footer>
<p class="signature">Checked by</p><p class="signature">Date</p>
<p>Bursar, ${report.schema}. Amounts are exact; instants are in UTC.</p>
</footer>
</main>
</body>
</html>
`.markup;

/** A file of the report, with its number of lines below the header. */
type ReportFile = Readonly<{ name: string; rows: number }>;

const PURPOSES: Readonly<Record<string, string>> = {
  'report.csv': 'every row with its outcome, ids and fee',
  'failed.csv': 'the rows that failed, with reason and fix',
  'resend.csv':
    'the rows that are provably unpaid and in no resend; "bursar resend" sends them again',
  'investigate.csv': 'the rows that may have been paid; find out before you send one again',
  'nack.csv': 'the rows that Bursar refused when it read the file, with every reason',
};

/** The list of the files beside the page. */
const filesSection = (files: readonly ReportFile[]): Html =>
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
