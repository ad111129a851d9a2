import type { ComponentChildren } from 'preact';
import { COLUMNS } from '../../../domain/rows/row.ts';
import { groupedAmount } from '../../../domain/text/money-text.ts';
import type { WebPlan } from '../../api/results.ts';
import { Money } from '../../parts/money.tsx';
import { Facts, Section } from '../../parts/section.tsx';
import { Code, Text } from '../../parts/text.tsx';
import { Deadline } from '../../parts/time.tsx';
import { useReader, useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';
import { approvalNeeds } from '../../words/approvals.ts';
import type { Texts } from '../../texts/en.ts';
import type { PlannedPayment } from './payment.ts';

type Fact = readonly [string, ComponentChildren];

/** What would be paid: people, totals, fees, the balance after it, and who must approve. */
export function PlanView({ planned }: { planned: PlannedPayment }) {
  const t = useTexts();
  const { plan, isOnline } = planned;
  const { currencies, funds, rows, batchId, at, digest, historyRead, file } = plan;
  return (
    <Section title={t.payment.plan} about={<Text>{file.name}</Text>}>
      <ul class="sums">
        {currencies.map(({ currency, rows: people, total }) => {
          const line = (funds ?? []).find((one) => one.currency === currency);
          return (
            <li key={currency}>
              <strong class="sum">
                <Money amount={total} currency={currency} />
              </strong>
              <span>{t.approve.toPeople(countText(people), people)}</span>
              {line === undefined || line.fee === null ? null : (
                <span>
                  {t.approve.fee} <Money amount={line.fee} currency={currency} />
                </span>
              )}
              {line === undefined ? null : line.left.startsWith('-') ? (
                <span class="short">
                  {t.funds.shortBy} <Money amount={line.left.slice(1)} currency={currency} />
                </span>
              ) : (
                <span>
                  {line.fee === null ? t.payment.leftNoFee : t.payment.left}{' '}
                  <Money amount={line.left} currency={currency} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {isOnline ? null : <p class="note wait">{t.payment.offline}</p>}
      {historyRead ? null : <p class="note wait">{t.payment.noHistory}</p>}
      <Facts
        facts={[
          [t.batches.batch, <Text key="batch">{batchId}</Text>],
          [t.payment.rows, t.payment.rowsOf(countText(rows.accepted), countText(rows.total))],
          ...(plan.sheet === undefined
            ? []
            : [[t.payment.sheet, <Text key="sheet">{plan.sheet}</Text>] as const]),
          ...columnFacts(planned, t),
          ...(plan.totalRow === undefined
            ? []
            : [[t.payment.totalRow, <TotalRowText key="total" line={plan.totalRow} />] as const]),
          [t.approve.due, at === null ? t.approve.atOnce : <Deadline key="at" value={at} />],
        ]}
      />
      <ApprovalNeeds plan={plan} />
      {digest === null ? null : (
        <details class="below">
          <summary>{t.approve.proof}</summary>
          <Code>{digest}</Code>
        </details>
      )}
    </Section>
  );
}

/** Who must approve. */
function ApprovalNeeds({ plan: { signing, currencies, submission } }: { plan: WebPlan }) {
  const reader = useReader();
  const { texts: t } = reader;
  const { policy } = signing;
  const needs = policy === null ? [] : approvalNeeds(policy, currencies, reader);
  return (
    <div class="below">
      <h3>{t.payment.approval}</h3>
      {needs.length === 0 ? <p>{t.payment.noApproval}</p> : null}
      {policy?.mode === 'unsigned' && needs.length > 0 ? (
        <p class="note wait">{t.approve.unsigned}</p>
      ) : null}
      {needs.map((sentence) => (
        <p key={sentence}>
          <Text>{sentence}</Text>
        </p>
      ))}
      {submission === null || needs.length === 0 ? null : (
        <p class="fine">{t.payment.notBySubmitter}</p>
      )}
    </div>
  );
}

type TotalRow = NonNullable<PlannedPayment['plan']['totalRow']>;

/** The total in the last row of a file, which the server has compared with the sum. */
function TotalRowText({ line: { row, total, currency } }: { line: TotalRow }) {
  const t = useTexts();
  return (
    <>
      {currency === null ? groupedAmount(total) : <Money amount={total} currency={currency} />}{' '}
      <span class="fine">{t.payment.totalRowAbout(row)}</span>
    </>
  );
}

/** The columns that the person named, and those that are not read. */
function columnFacts({ choices: { form } }: PlannedPayment, t: Texts): readonly Fact[] {
  const named = COLUMNS.flatMap((column): readonly Fact[] => {
    const name = form.columns[column];
    return name === undefined ? [] : [[t.file.uses[column], <Text key={column}>{name}</Text>]];
  });
  if (form.ignoreColumns.length === 0) return named;
  return [...named, [t.file.ignored, <Text key="ignored">{form.ignoreColumns.join(', ')}</Text>]];
}
