import { useState } from 'preact/hooks';
import { NO_RESEND_STATEMENT } from '../../../domain/lineage/no-resend.ts';
import { callOperation } from '../../api/call.ts';
import type { ResultOf, WebBatch } from '../../api/results.ts';
import { useAction } from '../../api/use-action.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { BackToBatch } from '../../parts/back-to-batch.tsx';
import { StateBadge } from '../../parts/badge.tsx';
import { DataTable, type WebColumn } from '../../parts/data-table.tsx';
import { Loading } from '../../parts/error-note.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts, PageHead, Section } from '../../parts/section.tsx';
import { RowReason } from '../../parts/row-reason.tsx';
import { Said } from '../../parts/said.tsx';
import { Text } from '../../parts/text.tsx';
import { TypedTotals } from '../../parts/typed-totals.tsx';
import { signSubmission } from '../../passkey/submission.ts';
import { linkTo, openLink } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { useMay, useSigned } from '../../shell/session.tsx';
import { countText } from '../../words/amounts.ts';
import { pageNote } from '../../words/page-note.ts';
import { Statements } from './approval.tsx';

type Resend = ResultOf<'planResend'>;

/** Leads to the page that pays failed rows again, where the batch has such rows and no later batch has them. */
export function ResendSection({ batch }: { batch: WebBatch }) {
  const t = useTexts();
  const maySubmit = useMay('submit');
  const { batchId, isOver, rows, childBatchId, state } = batch;
  const isUnsent = isStoppedUnsent(batch);
  const isPayable = isOver && rows.failed + rows.notSent > 0 && state !== 'REJECTED';
  if (!isPayable || childBatchId !== null || !maySubmit) return null;
  return (
    <div class="no-print">
      <Section
        title={isUnsent ? t.resend.unsentTitle : t.resend.title}
        about={isUnsent ? undefined : t.resend.about}
        actions={
          <a class="button" href={linkTo(['batches', batchId, 'resend'])}>
            {t.resend.open}
          </a>
        }
      >
        {isUnsent ? <Stopped batch={batch} /> : null}
      </Section>
    </div>
  );
}

/** Whether a person stopped the batch before anything was sent. */
const isStoppedUnsent = ({ state, rows }: WebBatch): boolean =>
  (state === 'REFUSED' || state === 'CANCELED') && rows.notSent === rows.total;

/** Who stopped the batch, and why; then what a new batch needs. */
function Stopped({ batch: { decisions = [], error } }: { batch: WebBatch }) {
  const t = useTexts();
  const refusals = decisions.filter(({ decision, why }) => decision === 'refuse' && why === null);
  const { what, detail } = error === null ? NOTHING_SAID : pageNote(error, t);
  return (
    <>
      {refusals.length > 0 ? (
        <Statements given={refusals} gaps={[]} />
      ) : (
        [what, detail].map((one) =>
          one === null ? null : (
            <p key={one.text}>
              <Said>{one}</Said>
            </p>
          ),
        )
      )}
      <p class="about below">{t.resend.unsentAbout}</p>
    </>
  );
}

const NOTHING_SAID = { what: null, detail: null };

/** The rows that a resend would pay, the statement of the person, and the totals that they type. */
export function ResendPage({ batchId }: { batchId: string }) {
  const t = useTexts();
  const { value, error } = useAnswer(
    async (signal) => {
      const batch = await callOperation('showBatch', { batchId }, signal);
      return { batch, plan: await callOperation('planResend', { parentBatchId: batchId }, signal) };
    },
    { key: `resend ${batchId}` },
  );
  const isUnsent = value !== null && isStoppedUnsent(value.batch);
  const title = isUnsent ? t.resend.unsentTitle : t.resend.title;
  return (
    <>
      <BackToBatch batchId={batchId} />
      <PageHead
        title={
          <>
            {title} <Text>{batchId}</Text>
          </>
        }
        name={`${title}: ${batchId}`}
        about={isUnsent ? undefined : t.resend.about}
      />
      <Loading error={error} isEmpty={value === null} />
      {isUnsent ? (
        <Section title={t.resend.stopped}>
          <Stopped batch={value.batch} />
        </Section>
      ) : null}
      {value === null ? null : <ResendOf plan={value.plan} />}
    </>
  );
}

function ResendOf({ plan }: { plan: Resend }) {
  const t = useTexts();
  const { session } = useSigned();
  const pay = useAction();
  const [isStated, setStated] = useState(false);
  const send = (): Promise<boolean> =>
    pay.run(async () => {
      const { batchId } = await startResend(plan, session.person);
      openLink(linkTo(['batches', batchId]));
      return t.payment.started;
    });
  return (
    <>
      <ResendPlanView plan={plan} />
      <Reasons reasons={plan.reasons} />
      <TypedTotals
        currencies={plan.currencies}
        isBusy={pay.isRunning}
        error={pay.error}
        onPay={() => void send()}
      >
        <label class="choice below">
          <input
            type="checkbox"
            required
            checked={isStated}
            onChange={(event) => setStated(event.currentTarget.checked)}
          />
          {t.resend.statement}
        </label>
      </TypedTotals>
    </>
  );
}

function ResendPlanView({ plan }: { plan: Resend }) {
  const t = useTexts();
  const { batchId, currencies, unclear, file, lineage } = plan;
  return (
    <Section title={t.resend.plan}>
      <ul class="sums">
        {currencies.map(({ currency, rows, total }) => (
          <li key={currency}>
            <strong class="sum">
              <Money amount={total} currency={currency} />
            </strong>
            <span>{t.approve.toPeople(countText(rows), rows)}</span>
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          [t.batches.batch, <Text key="batch">{batchId}</Text>],
          [t.approve.file, <Text key="file">{file.name}</Text>],
          ...lineage.map(
            (one) =>
              [
                t.resend.before,
                <span key={one.batchId}>
                  <Text>{one.batchId}</Text>{' '}
                  {one.state === null ? null : <StateBadge word={one.state} />}
                </span>,
              ] as const,
          ),
        ]}
      />
      {unclear.rows === 0 ? null : (
        <p class="note wait below">
          {t.resend.leftOut(
            countText(unclear.rows),
            unclear.first.map(({ row }) => row).join(', '),
          )}
        </p>
      )}
    </Section>
  );
}

/** Why rows are paid again, and which of the file they are. */
function Reasons({ reasons }: { reasons: Resend['reasons'] }) {
  const t = useTexts();
  const words: Readonly<Record<string, string>> = t.states;
  const columns: readonly WebColumn<Resend['reasons'][number]>[] = [
    { label: t.rows.outcome, show: ({ outcome }) => words[outcome] ?? outcome },
    {
      label: t.acts.reason,
      show: ({ outcome, reason }) => <RowReason isInList outcome={outcome} reason={reason} />,
    },
    { label: t.payment.rows, isNumber: true, show: ({ rows }) => countText(rows) },
    {
      label: t.resend.inFile,
      show: ({ first, rows }) => `${first.join(', ')}${rows > first.length ? ' …' : ''}`,
    },
  ];
  return (
    <Section title={t.resend.reasons} about={t.resend.why}>
      <DataTable
        caption={t.resend.reasons}
        columns={columns}
        rows={reasons}
        keyOf={({ outcome, reason }) => `${outcome} ${reason}`}
        empty={null}
      />
    </Section>
  );
}

/** Starts exactly this resend. Where the policy counts signatures, the person signs. @throws ApiFailure, PasskeyFailure */
async function startResend(
  { parentBatchId, currencies, submission, signing }: Resend,
  person: string,
): Promise<ResultOf<'resendBatch'>> {
  const signed = await signSubmission({ submission, signing, person, reason: NO_RESEND_STATEMENT });
  return callOperation('resendBatch', {
    parentBatchId,
    subject: submission.subject,
    confirm: currencies.map(({ currency, total }) => ({ currency, total })),
    nothingResentElsewhere: true,
    ...signed,
  });
}
