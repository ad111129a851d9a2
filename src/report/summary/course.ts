import { counted } from '../../domain/text/counted.ts';
import { FINDINGS, type Finding } from '../../domain/plan/finding.ts';
import type { OperatorCase, BatchReport, ReportedFinding } from '../../domain/report/report.ts';
import { withCommas } from '../outcome-fields.ts';
import { amountText, columnAmount, decimalsOfColumn } from './amount-cell.ts';
import { instant } from './head.ts';
import { type Html, html, NOTHING } from './html.ts';
import { section, shortened, table } from './table.ts';

/** Mass payouts that the summary shows; report.json holds all. */
const PAYOUTS_SHOWN_MAX = 1_000;
/** Operator cases that the summary shows; report.json holds all. */
const CASES_SHOWN_MAX = 100;

/** What waits for a person, with everything that is needed to decide. */
export function operatorCases({ needsOperator }: BatchReport): Html {
  const shown = needsOperator.slice(0, CASES_SHOWN_MAX);
  return section(
    'Needs an operator',
    html`${shown.map(operatorCase)}`,
    needsOperator.length > shown.length
      ? shortened(withCommas(shown.length), withCommas(needsOperator.length), 'report.json')
      : NOTHING,
  );
}

const operatorCase = (each: OperatorCase): Html => html`<div class="notice">
<p><strong>Chunk ${each.chunk}: ${each.reason}</strong></p>
<p>${counted(each.rows, 'row')}, ${amountText(each.total)} ${each.currency},
waiting since ${instant(each.since)}.</p>
<dl><div><dt>External id</dt><dd><code>${each.externalId}</code></dd></div>
<div><dt>Idempotency key</dt><dd><code>${each.idempotencyKey}</code></dd></div></dl>
${attempts(each)}</div>
`;

const attempts = ({ attempts: items }: OperatorCase): Html =>
  table({
    caption: 'Attempts to create the mass payout',
    columns: [
      { title: 'Attempt', kind: 'count', cell: ({ n }) => String(n) },
      { title: 'Signed', kind: 'word', cell: ({ signedAt }) => instant(signedAt) },
      { title: 'Outcome', kind: 'text', cell: ({ outcome }) => outcome },
      { title: 'Status', kind: 'count', cell: ({ httpStatus }) => String(httpStatus ?? '') },
      { title: 'Error', kind: 'code', cell: ({ errorCode }) => errorCode ?? '' },
      { title: 'Trace', kind: 'id', cell: ({ traceId }) => traceId ?? '' },
    ],
    items,
  });

/** What was noticed before money moved, and what a person accepted. */
export function findings({ findings: items }: BatchReport): Html {
  if (items.length === 0) return NOTHING;
  return section(
    'Findings in the file',
    table<ReportedFinding>({
      caption: 'What was noticed before money moved',
      columns: [
        { title: 'Finding', kind: 'code', cell: ({ code }) => code },
        { title: 'Severity', kind: 'word', cell: ({ severity }) => severity },
        { title: 'Rows', kind: 'count', cell: ({ count }) => withCommas(count) },
        { title: 'What and why', kind: 'phrase', cell: whatAndWhy },
        { title: 'First rows', kind: 'text', cell: examplesOf },
        { title: 'Decision', kind: 'phrase', cell: decisionOn },
      ],
      items,
    }),
  );
}

const whatAndWhy = ({ code }: Finding): string => `${FINDINGS[code].what} ${FINDINGS[code].why}`;

/** A finding about the whole file names row 0. */
const examplesOf = ({ examples }: Finding): string =>
  examples
    .map(({ row, detail }) =>
      row === 0 ? detail : detail === '' ? `${row}` : `${row} (${detail})`,
    )
    .join(', ');

/** Nobody can accept what blocks, whatever was asked for. */
function decisionOn({ severity, accepted }: ReportedFinding): string {
  if (severity === 'block') return 'stopped the batch';
  if (accepted) return 'accepted by the submitter';
  return severity === 'info' ? 'for information' : 'not accepted';
}

/** The mass payouts that the service made of the batch. */
export function massPayouts({ massPayouts: all, fees }: BatchReport): Html {
  if (all.length === 0) return NOTHING;
  const items = all.slice(0, PAYOUTS_SHOWN_MAX);
  const decimals = decimalsOfColumn(items.map(({ total }) => total));
  const feeDecimals = decimalsOfColumn(items.map(({ fee }) => fee ?? ''));
  return section(
    'Mass payouts',
    table({
      caption: 'Mass payouts of the batch, as the service last told',
      columns: [
        { title: 'Chunk', kind: 'count', cell: ({ chunk }) => String(chunk) },
        { title: 'State', kind: 'word', cell: ({ state }) => state },
        { title: 'Rows', kind: 'count', cell: ({ rows }) => withCommas(rows) },
        {
          title: 'Total',
          kind: 'amount',
          cell: ({ total }) => columnAmount(total, decimals),
        },
        { title: 'Currency', kind: 'word', cell: ({ currency }) => currency },
        {
          title: 'Fee stated',
          kind: 'amount',
          cell: ({ fee }) => (fee === null ? '' : columnAmount(fee, feeDecimals)),
        },
        { title: 'Mass payout', kind: 'id', cell: ({ massPayoutId }) => massPayoutId ?? 'none' },
        { title: 'Idempotency key', kind: 'id', cell: ({ idempotencyKey }) => idempotencyKey },
      ],
      items,
    }),
    fees === 'available'
      ? NOTHING
      : html`<p class="note">Fees: ${fees}.</p>
`,
    all.length > items.length
      ? shortened(withCommas(items.length), withCommas(all.length), 'report.json')
      : NOTHING,
  );
}
