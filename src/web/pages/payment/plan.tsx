import { groupedAmount } from '../../../domain/text/money-text.ts';
import type { WebPlan } from '../../api/results.ts';
import { formFacts } from '../../parts/form-facts.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts, Section } from '../../parts/section.tsx';
import { Code, Text } from '../../parts/text.tsx';
import { Deadline } from '../../parts/time.tsx';
import { useReader, useTexts } from '../../shell/reader.tsx';
import { useSigned } from '../../shell/session.tsx';
import { countText } from '../../words/amounts.ts';
import { approvalNeeds } from '../../words/approvals.ts';
import type { PlannedPayment } from './payment.ts';

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
          ...formFacts({ ...planned.choices, sheet: plan.sheet ?? null }, t),
          ...(plan.totalRow === undefined
            ? []
            : [
                [
                  t.payment.totalRow,
                  <TotalRowText key="total" plan={plan} line={plan.totalRow} />,
                ] as const,
              ]),
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
  const { session } = useSigned();
  const needs =
    policy === null
      ? []
      : approvalNeeds(policy, currencies, { ...reader, submittedBy: session.person });
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

type TotalRowProps = Readonly<{ plan: WebPlan; line: TotalRow }>;

/** The total in the last row of a file, which the server has compared with the sum. */
function TotalRowText({ plan: { problems }, line: { row, total, currency } }: TotalRowProps) {
  const t = useTexts();
  const isSum = problems.every(({ code }) => code !== 'CONTROL_TOTAL_AMOUNT');
  return (
    <>
      {currency === null ? groupedAmount(total) : <Money amount={total} currency={currency} />}{' '}
      <span class="fine">
        {isSum ? t.payment.totalRowAbout(row) : t.payment.totalRowDiffers(row)}
      </span>
    </>
  );
}
