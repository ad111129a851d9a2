import type { OperatorReason } from '../../../domain/sending/send-command.ts';
import type { WebBatch } from '../../api/results.ts';
import { Money } from '../../parts/money.tsx';
import { Facts, Section } from '../../parts/section.tsx';
import { ServerText } from '../../parts/said.tsx';
import { Code, Text } from '../../parts/text.tsx';
import { Deadline, Time } from '../../parts/time.tsx';
import { useTexts } from '../../shell/reader.tsx';
import { useMay } from '../../shell/session.tsx';
import { countText } from '../../words/amounts.ts';
import { AnswerForm, type UnclearRequest } from './answer-form.tsx';

type RequestsProps = Readonly<{ batch: WebBatch; onChange(): void }>;

/** Requests with an unclear result. A person looks at the service, and answers. */
export function UnclearRequests({ batch, onChange }: RequestsProps) {
  const { needsOperator, batchId, isOver } = batch;
  if (isOver) return null;
  return (
    <>
      {needsOperator.map((one) => (
        <UnclearRequestOf key={one.chunk} batchId={batchId} one={one} onChange={onChange} />
      ))}
    </>
  );
}

type RequestProps = Readonly<{ batchId: string; one: UnclearRequest; onChange(): void }>;

function UnclearRequestOf({ batchId, one, onChange }: RequestProps) {
  const t = useTexts();
  const mayOperate = useMay('operate');
  const { rows, currency, total, since, externalId, idempotencyKey, forgotten, attempts } = one;
  const answers: Readonly<Record<string, string>> = t.row.answers;
  const question = t.requests.reasons[one.reason as OperatorReason] as string | undefined;
  return (
    <Section
      title={t.requests.title(one.chunk)}
      about={question ?? <ServerText>{one.reason}</ServerText>}
    >
      {forgotten === undefined ? null : (
        <p class="note wait">
          {t.requests.forgotten} <Time value={forgotten.since} />. {t.requests.forgottenUntil}{' '}
          <Deadline value={forgotten.until} />
        </p>
      )}
      <Facts
        isWide
        facts={[
          [t.rows.amount, <Money key="amount" amount={total} currency={currency} />],
          [t.requests.payments, countText(rows)],
          [t.holds.since, <Time key="since" value={since} />],
          [t.requests.requestId, <Code key="id">{externalId}</Code>],
          [t.requests.requestKey, <Code key="key">{idempotencyKey}</Code>],
          ...attempts.map(
            ({ n, signedAt, outcome, httpStatus, errorCode, traceId }) =>
              [
                `${t.row.events.sent} ${n}`,
                <span key={n}>
                  <Time value={signedAt} />: {answers[outcome] ?? outcome}
                  {httpStatus === undefined ? '' : `, HTTP ${httpStatus}`}{' '}
                  <Text>{[errorCode, traceId].filter(Boolean).join(' ')}</Text>
                </span>,
              ] as const,
          ),
        ]}
      />
      {mayOperate ? (
        // A new attempt is read before it is answered for.
        <AnswerForm key={attempts.length} batchId={batchId} one={one} onChange={onChange} />
      ) : (
        <p class="note quiet below">{t.requests.mayNot}</p>
      )}
    </Section>
  );
}
