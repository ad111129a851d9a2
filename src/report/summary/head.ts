import { counted, withCommas } from '../../domain/text/counted.ts';
import type { FeeQuotes } from '../../domain/fees/batch-fees.ts';
import { batchStateWords, codeInSentence } from '../../domain/text/state-words.ts';
import { moneyText } from '../../domain/text/money-text.ts';
import type { BatchReport } from '../../domain/report/report.ts';
import { OUTCOME_FIELDS } from '../outcome-fields.ts';
import { type Html, html, NOTHING } from './html.ts';

/** The headline: the number of paid rows, which is more exact than the state. */
export const headline = ({ rows }: BatchReport): string =>
  `${withCommas(rows.paid)} of ${withCommas(rows.total)} ${rows.total === 1 ? 'row' : 'rows'} paid`;

/** The top of the page: headline, state, problem, double payments and facts. */
export function reportHead(report: BatchReport): Html {
  const others = OUTCOME_FIELDS.filter(({ field }) => field !== 'paid' && report.rows[field] > 0);
  return html`<header>
<p class="kind">Payout report</p>
<h1>${headline(report)}</h1>
<p class="state"><span class="pill ${report.state}">${batchStateWords(report.state)}</span>${others.map(
    ({ field, label }) =>
      html`<span>${withCommas(report.rows[field])} ${label.toLowerCase()}</span>`,
  )}</p>
${problem(report)}${paidTwice(report)}${facts(report)}</header>
`;
}

const problem = ({ error }: BatchReport): Html =>
  error === null
    ? NOTHING
    : html`<div class="notice">
<p><strong>${error.what}</strong></p>
<p>${error.why}</p>
<p>${error.fix}</p>
<p class="note">${error.code}</p>
</div>
`;

const paidTwice = ({ paidTwice: rows }: BatchReport): Html =>
  rows.length === 0
    ? NOTHING
    : html`<div class="notice">
<p><strong>${rows.some(({ isCertain }) => isCertain) ? 'Rows were paid twice' : 'Rows may be paid twice'}</strong></p>
${rows.map(
  ({ row, batches, massPayouts = [] }) =>
    html`<p>Row ${row}: ${batches.map(({ batchId, outcome }) => `${codeInSentence(outcome)} in ${batchId}`).join(', ')}${massPayouts.length === 0 ? '' : `, in mass payouts ${massPayouts.join(', ')}`}</p>
`,
)}${rows.some(({ massPayouts }) => massPayouts !== undefined) ? html`<p>The service has more than one mass payout for rows of this batch.</p><p class="note">TWO_PAYOUTS</p>` : NOTHING}${
  rows.some(({ massPayouts }) => massPayouts === undefined)
    ? html`<p>A resend sent them again, and a person sent them in the interface of the service, too.</p>
<p class="note">RESEND_AND_PAID</p>`
    : NOTHING
}
</div>
`;

function facts(report: BatchReport): Html {
  const { batchId, file, account, digest, parentBatchId, childBatchId, generation } = report;
  const lines: Array<readonly [string, Html | string]> = [
    ['Batch', html`<b>${batchId}</b>`],
    ['File', file.name],
    ['Submitted', html`${instant(report.submittedAt)}, by ${report.submittedBy}`],
    ['Ended', instant(report.endedAt)],
    ...unlessAvailable('Fees of the service', report.fees),
    ...quotedFees(report),
    ...unlessAvailable('Lookup of failed payments', report.withdrawals),
  ];
  if (parentBatchId !== null)
    lines.splice(1, 0, ['Resend', `no. ${generation} of ${parentBatchId}`]);
  if (childBatchId !== null) lines.splice(1, 0, ['Sent again as', childBatchId]);
  const { version, changedAt, changedRows } = report.revision;
  if (changedAt !== null) {
    const what = `${counted(changedRows, 'row has', 'rows have')} another outcome than in version ${version - 1}`;
    lines.push(['Version', html`${version}, ${instant(changedAt)}: ${what}`]);
  }
  const long: Array<readonly [string, Html]> = [
    ['Account', html`<code>${account}</code>`],
    ['File SHA-256', html`<code>${file.sha256}</code>`],
    ['Audit log', auditText(report)],
    ['Plan digest', digest === null ? html`none: no plan was made` : html`<code>${digest}</code>`],
  ];
  return html`<dl>${lines.map(([name, value]) => fact('', name, value))}${long.map(
    ([name, value]) => fact('long', name, value),
  )}</dl>
`;
}

/** The audit mark in the form of `bursar verify --head`. */
const auditText = ({ audit }: BatchReport): Html =>
  audit === null ? html`none` : html`<code>${audit.entries}:${audit.hash}</code>`;

/** Returns a line only for facts that were not available. */
const unlessAvailable = (name: string, text: string): [string, string][] =>
  text === 'available' ? [] : [[name, text]];

function quotedFees({ feeQuotes }: BatchReport): [string, string][] {
  if (feeQuotes === null) return [];
  const [planned, final] = [quotesText(feeQuotes.planned), quotesText(feeQuotes.final)];
  return [
    ['Fees quoted with the plan', planned],
    ...(final === planned ? [] : [['Fees quoted at the due time', final] as [string, string]]),
  ];
}

const quotesText = (quotes: FeeQuotes): string =>
  quotes === null
    ? 'not available'
    : quotes.map(({ fee, currency }) => moneyText(fee, currency)).join(', ');

const fact = (kind: string, name: string, value: Html | string): Html =>
  html`<div class="${kind}"><dt>${name}</dt><dd>${value}</dd></div>
`;

/** Shows an instant in UTC. The page must not depend on the time zone of the machine. */
export function instant(iso: string): Html {
  const text = iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
  return html`<time datetime="${iso}">${text}</time>`;
}
