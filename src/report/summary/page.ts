import { createHash } from 'node:crypto';
import type { BatchReport } from '../../domain/report/report.ts';
import type { Excerpt } from '../excerpt.ts';
import { approvals } from './approvals.ts';
import { balance } from './balance.ts';
import { findings, massPayouts, operatorCases } from './course.ts';
import { type ReportFile, reportFiles } from './files.ts';
import { head, headline } from './head.ts';
import { holds } from './holds.ts';
import { html, trusted } from './html.ts';
import { money } from './money.ts';
import { failedRows, refusedRows, rowsToInvestigate } from './rows.ts';
import { STYLE } from './style.ts';

export type Summary = Readonly<{
  report: BatchReport;
  excerpt: Excerpt;
  /** The CSV files that are written beside the page. */
  files: readonly ReportFile[];
}>;

/** The page may load nothing and run nothing; only its own style, known by its hash, applies. */
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * The report as one page for people: to look at, to print, to hand to an auditor. It needs nothing
 * but itself.
 */
export const summaryPage = ({ report, excerpt, files }: Summary): string =>
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
${head(report)}
${operatorCases(report)}
${money(report)}
${balance(report)}
${failedRows(report, excerpt)}
${rowsToInvestigate(report, excerpt)}
${refusedRows(report, excerpt)}
${findings(report)}
${approvals(report)}
${holds(report)}
${massPayouts(report)}
${reportFiles(files)}
<footer>
<p class="signature">Checked by</p><p class="signature">Date</p>
<p>Bursar, ${report.schema}. Amounts are exact; instants are in UTC.</p>
</footer>
</main>
</body>
</html>
`.markup;
