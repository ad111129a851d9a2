import { counted, withCommas } from '../../domain/text/counted.ts';
import { moneyText } from '../../domain/text/money-text.ts';
import type { OperatorCase, BatchReport } from '../../domain/report/report.ts';
import { instant } from './head.ts';
import { type Html, html, NOTHING } from './html.ts';
import { section, shortened, table } from './table.ts';

/** Operator cases on the page. report.json has all. */
const CASES_SHOWN_MAX = 100;

/** The chunks that wait for an operator, with the facts for a decision. */
export function operatorCasesSection({ needsOperator }: BatchReport): Html {
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
<p>${counted(each.rows, 'row')}, ${moneyText(each.total, each.currency)},
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
