import { useState } from 'preact/hooks';
import { useAction } from '../../api/use-action.ts';
import type { ResultOf, WebBatch } from '../../api/results.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Field } from '../../parts/field.tsx';
import { MissingApprovals } from '../../parts/missing-approval.tsx';
import { REASON_MAX } from '../../parts/reason-button.tsx';
import { useTexts } from '../../shell/reader.tsx';
import { useSigned } from '../../shell/session.tsx';
import { answerRequest, type RequestAnswer } from './answer.ts';

/** A request whose result is unclear. */
export type UnclearRequest = WebBatch['needsOperator'][number];

const ANSWERS = ['adopt', 'not-created', 'abandon'] as const;

type AnswerKind = (typeof ANSWERS)[number];

/** The choice and the texts of a person so far. */
type Draft = Readonly<{ kind: AnswerKind | null; payout: string; reason: string }>;

type AnswerFormProps = Readonly<{ batchId: string; one: UnclearRequest; onChange(): void }>;

/** Takes the answer of a person for a request, and shows who must still sign it. */
export function AnswerForm({ batchId, one, onChange }: AnswerFormProps) {
  const t = useTexts();
  const { session } = useSigned();
  const action = useAction();
  const [draft, setDraft] = useState<Draft>({ kind: null, payout: '', reason: '' });
  const [missing, setMissing] = useState<Gaps | null>(null);
  if (missing !== null) return <Receipt gaps={missing} />;
  const send = (): void => {
    const answer = answerOf({ batchId, one, draft });
    if (answer === null) return;
    void action.run(async () => {
      const result = await answerRequest(answer, session.person);
      setMissing(result.gaps);
      onChange();
      return t.requests.answered;
    });
  };
  return (
    <form
      class="below"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <AnswerChoice number={one.chunk} draft={draft} onDraft={setDraft} />
      <Field label={t.acts.reason} hint={t.acts.reasonHint}>
        <textarea
          required
          rows={2}
          maxLength={REASON_MAX}
          value={draft.reason}
          onInput={(event) => setDraft({ ...draft, reason: event.currentTarget.value })}
        />
      </Field>
      <ErrorNote what={t.acts.notDone} error={action.error} />
      <div class="form-actions">
        <button type="submit" class="first" aria-disabled={action.isRunning}>
          {action.isRunning ? t.approve.running : t.requests.button}
        </button>
      </div>
    </form>
  );
}

type ChoiceProps = Readonly<{ number: number; draft: Draft; onDraft(draft: Draft): void }>;

/** The three answers, and the further input of the chosen one. */
function AnswerChoice({ number, draft, onDraft }: ChoiceProps) {
  const t = useTexts();
  const { kind, payout } = draft;
  return (
    <>
      <fieldset>
        <legend>{t.requests.question}</legend>
        {ANSWERS.map((each) => (
          <label key={each} class="choice">
            <input
              type="radio"
              name={`answer-${number}`}
              required
              checked={kind === each}
              onChange={() => onDraft({ ...draft, kind: each })}
            />
            {t.requests.answers[each]}
          </label>
        ))}
      </fieldset>
      {kind === 'adopt' ? (
        <Field label={t.requests.payout} hint={t.requests.payoutHint}>
          <input
            required
            autocomplete="off"
            value={payout}
            onInput={(event) => onDraft({ ...draft, payout: event.currentTarget.value })}
          />
        </Field>
      ) : null}
      {kind === 'not-created' ? (
        <label class="choice">
          <input type="checkbox" required />
          {t.requests.looked}
        </label>
      ) : null}
    </>
  );
}

type Gaps = ResultOf<'resolveChunk'>['gaps'];

function Receipt({ gaps }: { gaps: Gaps }) {
  const t = useTexts();
  return (
    <div class="note good below" role="status">
      <p>{t.requests.answered}</p>
      <MissingApprovals gaps={gaps} />
    </div>
  );
}

type Given = Readonly<{ batchId: string; one: UnclearRequest; draft: Draft }>;

/** The answer as it is sent; null: it is not whole. "Not there" is about the attempts that the page shows, and no later one. */
function answerOf({ batchId, one, draft: { kind, payout, reason } }: Given): RequestAnswer | null {
  const about = { batchId, chunk: one.chunk, reason: reason.trim() };
  if (kind === null || about.reason === '') return null;
  if (kind === 'abandon') return { ...about, answer: kind };
  if (kind === 'not-created') return { ...about, answer: kind, attempts: one.attempts.length };
  const massPayoutId = payout.trim();
  return massPayoutId === '' ? null : { ...about, answer: kind, massPayoutId };
}
