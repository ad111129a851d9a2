import { useState } from 'preact/hooks';
import { isSubmitter } from '../../../domain/approval/people.ts';
import { approvalGaps } from '../../../domain/approval/gaps.ts';
import { statementText } from '../../../domain/approval/statement.ts';
import { callOperation } from '../../api/call.ts';
import type { ResultOf, WebBatch, WebQuestion } from '../../api/results.ts';
import { useAction } from '../../api/use-action.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { BackToBatch } from '../../parts/back-to-batch.tsx';
import { ErrorNote, Loading } from '../../parts/error-note.tsx';
import { Field } from '../../parts/field.tsx';
import { NextPart } from '../../parts/next-part.tsx';
import { REASON_MAX } from '../../parts/reason-button.tsx';
import { PasskeyAdvice } from '../../parts/passkey-advice.tsx';
import { MissingApprovals } from '../../parts/missing-approval.tsx';
import { PageHead, Section } from '../../parts/section.tsx';
import { Text } from '../../parts/text.tsx';
import { signDecision, type SignedDecision } from '../../passkey/decision.ts';
import { linkTo } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { useSigned } from '../../shell/session.tsx';
import { Statements } from './approval.tsx';
import { QuestionView } from './question.tsx';
import { RowsSection } from './rows.tsx';

type Decided = Readonly<{
  result: ResultOf<'decideBatch'>;
  signed: SignedDecision;
  /** The question, and the approvals that counted before. */
  asked: WebQuestion;
}>;

type ApprovePageProps = Readonly<{ batchId: string; query: URLSearchParams }>;

/** Everything that an approver should see before they sign, and the decision. */
export function ApprovePage({ batchId, query }: ApprovePageProps) {
  const t = useTexts();
  const { session } = useSigned();
  const [decided, setDecided] = useState<Decided | null>(null);
  const { value, error } = useAnswer((signal) => askIfAny(batchId, session.person, signal), {
    key: `question ${batchId}`,
  });
  return (
    <>
      <BackToBatch batchId={batchId} />
      <PageHead
        title={
          <span>
            {t.approve.title} <Text>{batchId}</Text>
          </span>
        }
        name={`${t.approve.title} ${batchId}`}
      />
      {decided === null ? (
        <>
          <Loading error={error} isEmpty={value === null} />
          {value === null ? null : value === 'nothing' ? (
            <p class="note quiet">{t.approve.nothing}</p>
          ) : (
            <>
              <QuestionView question={value.question} />
              <RowsSection
                batch={value.batch}
                query={query}
                place={['batches', batchId, 'approve']}
              />
              <Section title={t.approve.section}>
                <Statements given={value.question.given} gaps={value.question.gaps} />
              </Section>
              <Decide question={value.question} onDone={setDecided} />
            </>
          )}
        </>
      ) : (
        <NextPart>
          <Receipt decided={decided} />
        </NextPart>
      )}
    </>
  );
}

type Asked = Readonly<{ batch: WebBatch; question: WebQuestion }>;

/** The question of a batch that has one. The server records each refused question as a try of the person. */
async function askIfAny(
  batchId: string,
  person: string,
  signal: AbortSignal,
): Promise<Asked | 'nothing'> {
  const batch = await callOperation('showBatch', { batchId }, signal);
  const { isOver, holds, approval } = batch;
  const isAsked = !isOver && (holds.length > 0 || (approval?.missing.length ?? 0) > 0);
  if (!isAsked) return 'nothing';
  const input = { batchId, verdict: 'approve', as: person } as const;
  return { batch, question: await callOperation('approvalQuestion', input, signal) };
}

type DecideProps = Readonly<{ question: WebQuestion; onDone(decided: Decided): void }>;

function Decide({ question: asked, onDone }: DecideProps) {
  const t = useTexts();
  const { session } = useSigned();
  const action = useAction();
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const { batchId, question } = asked;
  const own = question.policy.people.find(({ name }) => name === session.person);
  if (own?.publicKey?.startsWith('passkey:') !== true) {
    return <NoPasskey />;
  }
  if (isSubmitter(question.policy, own, question.submittedBy)) {
    return <p class="note wait">{t.approve.ownBatch}</p>;
  }
  const decide = (verdict: 'approve' | 'refuse'): void => {
    setReasonMissing(verdict === 'refuse' && reason.trim() === '');
    if (verdict === 'refuse' && reason.trim() === '') return;
    void action.run(async () => {
      const signed = await signDecision({
        batchId: question.batchId,
        subject: question.subject,
        decision: verdict === 'refuse' ? 'refuse' : (question.consent ?? 'approve'),
        person: session.person,
        reason: reason.trim(),
        lastsMs: question.policy.expiresAfterMs,
      });
      const result = await callOperation('decideBatch', { batchId, verdict, approval: signed });
      onDone({ result, signed, asked });
      return verdict === 'refuse' ? t.approve.refused : t.approve.approved;
    });
  };
  return (
    <Section title={t.approve.decide} about={t.approve.decideAbout}>
      <form onSubmit={(event) => event.preventDefault()}>
        <Field
          label={t.approve.reason}
          hint={t.approve.reasonHint}
          error={isReasonMissing ? t.approve.reasonMissing : undefined}
        >
          <textarea
            rows={2}
            maxLength={REASON_MAX}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </Field>
        <ErrorNote what={t.acts.notDone} error={action.error} />
        <div class="form-actions">
          <button
            type="button"
            class="danger"
            aria-disabled={action.isRunning}
            onClick={() => decide('refuse')}
          >
            {t.approve.refuse}
          </button>
          <button
            type="button"
            class="first"
            aria-disabled={action.isRunning}
            onClick={() => decide('approve')}
          >
            {action.isRunning ? t.approve.running : t.approve.approve}
          </button>
        </div>
      </form>
    </Section>
  );
}

function NoPasskey() {
  const t = useTexts();
  return (
    <>
      <p class="note wait">{t.approve.noPasskey}</p>
      <PasskeyAdvice />
    </>
  );
}

/** The signed statement, word for word. */
function Receipt({ decided: { result, signed, asked } }: { decided: Decided }) {
  const t = useTexts();
  const { missing, batchId, decision } = result;
  const gaps =
    missing.length === 0 ? [] : approvalGaps(asked.question, [...asked.approvals, signed]);
  return (
    <Section title={decision === 'refuse' ? t.approve.refused : t.approve.approved}>
      <div class="note good" role="status">
        {missing.length === 0 ? <p>{t.approve.goesOn}</p> : null}
        <MissingApprovals gaps={gaps} />
      </div>
      <h3 class="below">{t.approve.signedText}</h3>
      <pre class="lines" tabIndex={0} aria-label={t.approve.signedText}>
        {statementText(signed)
          .trimEnd()
          .split('\n')
          .map((line) => (
            <span key={line}>
              <Text>{line}</Text>
              {'\n'}
            </span>
          ))}
      </pre>
      <p>
        <a class="button" href={linkTo(['batches', batchId])}>
          {t.approve.toBatch}
        </a>
      </p>
    </Section>
  );
}
