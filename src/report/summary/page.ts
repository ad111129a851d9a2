import { createHash } from 'node:crypto';
import type { BatchReport } from '../../domain/report/report.ts';
import type { Excerpt } from '../excerpt.ts';
import { approvalsSection } from './approvals.ts';
import { balanceSection } from './balance.ts';
import { filesSection, type ReportFile } from './files.ts';
import { findingsSection } from './findings.ts';
import { reportHead, headline } from './head.ts';
import { holdsSection } from './holds.ts';
import { html, trusted } from './html.ts';
import { massPayoutsSection } from './mass-payouts.ts';
import { moneySection } from './money.ts';
import { operatorCasesSection } from './operator-cases.ts';
import { failedRowsSection, refusedRowsSection, investigateSection } from './row-sections.ts';
import { STYLE } from './page-style.ts';

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
