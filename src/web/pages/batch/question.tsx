import { ENOUGH } from '../../../domain/funds/outlook.ts';
import type { WebQuestion } from '../../api/results.ts';
import { FindingList } from '../../parts/finding-list.tsx';
import { formFacts } from '../../parts/form-facts.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts, Section } from '../../parts/section.tsx';
import { ServerText } from '../../parts/said.tsx';
import { Code, Text } from '../../parts/text.tsx';
import { Deadline, Time } from '../../parts/time.tsx';
import { useReader, useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';
import { durationWords } from '../../words/times.ts';
import { HoldReason } from './holds.tsx';

/** The plan, or the hold, that an approver decides about. */
export function QuestionView({ question: asked }: { question: WebQuestion }) {
  const t = useTexts();
  const { plan, hold, outlook, question } = asked;
  const { file, submittedBy, submittedAt, refusedRows, at, findings } = plan;
  return (
    <>
      {hold === null ? null : (
        <Section title={t.holds.kinds[hold.kind]}>
          <p class="note held">
            <HoldReason {...hold} />
          </p>
        </Section>
      )}
      {question.policy.mode === 'unsigned' ? <p class="note wait">{t.approve.unsigned}</p> : null}
      <Section title={t.approve.plan}>
        <PlanSums plan={plan} />
        <Facts
          facts={[
            [t.approve.file, <Text key="file">{file}</Text>],
            ...formFacts(plan, t),
            [
              t.batches.submitted,
              <span key="submitted">
                <Text>{submittedBy}</Text>, <Time value={submittedAt} />
              </span>,
            ],
            [t.approve.due, at === null ? t.approve.atOnce : <Deadline key="due" value={at} />],
            ...(refusedRows === 0
              ? []
              : [[t.approve.leftOut, t.approve.rows(countText(refusedRows))] as const]),
            [
              t.approve.lasting,
              <Lasting key="lasting" lastsMs={question.policy.expiresAfterMs} dueAt={at} />,
            ],
            ...(outlook === null
              ? []
              : [
                  [
                    t.approve.funds,
                    outlook === ENOUGH ? (
                      t.approve.enough
                    ) : (
                      <ServerText key="funds">{outlook}</ServerText>
                    ),
                  ] as const,
                ]),
          ]}
        />
        <details class="below">
          <summary>{t.approve.proof}</summary>
          <Facts
            isWide
            facts={[
              [t.approve.fileHash, <Code key="sha256">{plan.fileSha256}</Code>],
              [t.approve.digest, <Code key="digest">{plan.digest ?? ''}</Code>],
              [t.approve.subject, <Code key="subject">{question.subject}</Code>],
            ]}
          />
        </details>
      </Section>
      <FindingList findings={findings} />
    </>
  );
}

/** The totals, each with its payments and its fee. */
function PlanSums({ plan: { currencies, fees } }: { plan: WebQuestion['plan'] }) {
  const t = useTexts();
  return (
    <ul class="sums">
      {currencies.map(({ currency, rows, total }) => {
        const fee = fees.find((one) => one.currency === currency)?.fee;
        return (
          <li key={currency}>
            <strong class="sum">
              <Money amount={total} currency={currency} />
            </strong>
            <span>{t.approve.toPeople(countText(rows), rows)}</span>
            {fee === undefined ? null : (
              <span>
                {t.approve.fee} <Money amount={fee} currency={currency} />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** How long an approval counts, and whether that ends before the payment is due. */
function Lasting({ lastsMs, dueAt }: Readonly<{ lastsMs: number; dueAt: string | null }>) {
  const { texts: t, place } = useReader();
  const isTooShort = dueAt !== null && Date.now() + lastsMs < Date.parse(dueAt);
  return (
    <>
      {durationWords(lastsMs, place)}
      {isTooShort ? <strong> {t.approve.lapsesBefore}</strong> : null}
    </>
  );
}
