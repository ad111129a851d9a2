import type { FileQuestion } from '../../../domain/errors/file-question.ts';
import { requirementsOf } from '../../../domain/approval/requirements.ts';
import type { FindingCode } from '../../../domain/plan/finding.ts';
import { type FileForm, PLAIN_FORM } from '../../../domain/rows/file-form.ts';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/use-action.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FindingList } from '../../parts/finding-list.tsx';
import { formFacts } from '../../parts/form-facts.tsx';
import { NextPart } from '../../parts/next-part.tsx';
import { Facts, PageHead, Section } from '../../parts/section.tsx';
import { linkTo, openLink } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import type { KeptAnswers } from '../../words/kept-answers.ts';
import { useMay, useSigned } from '../../shell/session.tsx';
import { ChoicesForm } from './choices.tsx';
import { ConfirmForm } from './confirm.tsx';
import { DecimalComma } from './decimal-comma.tsx';
import { DefaultCurrency } from './default-currency.tsx';
import { DropZone } from './drop-zone.tsx';
import { FirstPayments } from './first-payments.tsx';
import { FileQuestions } from './file-questions.tsx';
import {
  type ChosenFile,
  makePlan,
  type PaymentChoices,
  type PlannedPayment,
  sendFile,
  submitPlan,
} from './payment.ts';
import { PlanView } from './plan.tsx';
import { type FileReadOut, keepAnswers, keptAnswersOf, readFile } from './read-file.ts';
import { RefusedRows } from './refused-rows.tsx';

/** From a file to a batch: upload, errors, plan, findings, and the total that the person types. */
export function NewPaymentPage() {
  const t = useTexts();
  const maySubmit = useMay('submit');
  return (
    <>
      <PageHead title={t.payment.title} name={t.payment.title} about={t.payment.about} />
      {maySubmit ? <Steps /> : <p class="note wait">{t.payment.mayNot}</p>}
    </>
  );
}

function Steps() {
  const t = useTexts();
  const { session } = useSigned();
  const upload = useAction();
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [out, setOut] = useState<FileReadOut | null>(null);
  const { person } = session;
  const read = async (sent: ChosenFile, stated: FileForm, last: KeptAnswers | null) => {
    const made = await readFile(sent, stated, last);
    setOut(made);
    if ('asks' in made) return t.file.asked;
    keepAnswers(person, sent, made.planned);
    return t.payment.read(sent.name);
  };
  const choose = (chosen: File): void => {
    setFile(null);
    setOut(null);
    void upload.run(async () => {
      const sent = await sendFile(chosen);
      setFile(sent);
      return read(sent, PLAIN_FORM, keptAnswersOf(person));
    });
  };
  const answer = (stated: FileForm): void => {
    if (file !== null) void upload.run(() => read(file, stated, null));
  };
  const askAgain = (): void => {
    setOut(null);
    answer(PLAIN_FORM);
  };
  return (
    <>
      <DropZone onFile={choose} isBusy={upload.isRunning} fileName={file?.name ?? null} />
      <ErrorNote what={t.payment.notRead} error={upload.error} />
      {out === null || !('asks' in out) ? null : (
        <NextPart key={JSON.stringify(out.asks)}>
          <FileQuestions
            asks={out.asks}
            form={out.form}
            isBusy={upload.isRunning}
            onAnswer={answer}
          />
        </NextPart>
      )}
      {file === null || out === null || 'asks' in out ? null : (
        <NextPart>
          <PlannedSteps file={file} out={out} person={person} onAskAgain={askAgain} />
        </NextPart>
      )}
    </>
  );
}

type PlannedStepsProps = Readonly<{
  file: ChosenFile;
  out: Exclude<FileReadOut, { asks: FileQuestion }>;
  person: string;
  onAskAgain(): void;
}>;

/** The steps after a file was read. */
function PlannedSteps({ file, out, person, onAskAgain }: PlannedStepsProps) {
  const t = useTexts();
  const update = useAction();
  const submit = useAction();
  const [choices, setChoices] = useState<PaymentChoices>(out.planned.choices);
  const [planned, setPlanned] = useState<PlannedPayment>(out.planned);
  const { plan } = planned;
  const replan = (): Promise<boolean> =>
    update.run(async () => {
      const made = await makePlan(file, choices);
      keepAnswers(person, file, made);
      setPlanned(made);
      return t.payment.updated;
    });
  const pay = (): Promise<boolean> =>
    submit.run(async () => {
      const { batchId, outcome } = await submitPlan(file, plan, person);
      openLink(linkTo(['batches', batchId]));
      if (outcome !== 'started') return t.payment.wasThere;
      return isApprovedFirst(plan) ? t.payment.handedIn : t.payment.started;
    });
  const accept = (code: FindingCode, isAccepted: boolean): void => {
    const others = choices.accept.filter((one) => one !== code);
    setChoices({ ...choices, accept: isAccepted ? [...others, code] : others });
  };
  return (
    <>
      {out.isAsBefore ? <AsBefore planned={planned} onAskAgain={onAskAgain} /> : null}
      <DecimalComma
        refused={out.bare.plan.refused}
        isChosen={choices.form.decimalComma}
        onChoose={(decimalComma) =>
          setChoices({ ...choices, form: { ...choices.form, decimalComma } })
        }
      />
      <DefaultCurrency
        refused={out.bare.plan.refused}
        chosen={choices.currency}
        onChoose={(currency) => setChoices({ ...choices, currency })}
      />
      <RefusedRows file={file} planned={planned} />
      {plan.digest === null ? null : (
        <>
          <PlanView planned={planned} />
          <FirstPayments file={file} planned={planned} />
        </>
      )}
      <FindingList findings={withAccepted(plan.findings, choices.accept)} onAccept={accept} />
      <ChoicesForm
        choices={choices}
        planned={planned}
        isBusy={update.isRunning}
        onChange={setChoices}
        onUpdate={() => void replan()}
      />
      <ErrorNote what={t.payment.notPlanned} error={update.error} />
      <ConfirmForm
        // Another plan is confirmed anew.
        key={plan.digest ?? ''}
        planned={planned}
        isUpToDate={isSame(choices, planned.choices)}
        isBusy={submit.isRunning}
        error={submit.error}
        onPay={() => void pay()}
      />
    </>
  );
}

/** Whether people must approve the payment before it is paid. */
const isApprovedFirst = ({ signing: { policy }, currencies }: PlannedPayment['plan']): boolean =>
  policy !== null && requirementsOf(policy, currencies).length > 0;

/** The answers that were taken over from the file before, and a way to answer anew. */
function AsBefore({
  planned,
  onAskAgain,
}: Readonly<{ planned: PlannedPayment; onAskAgain(): void }>) {
  const t = useTexts();
  const { choices, plan } = planned;
  return (
    <Section
      title={t.file.asBefore}
      about={t.file.asBeforeAbout}
      actions={
        <button type="button" onClick={onAskAgain}>
          {t.file.askAgain}
        </button>
      }
    >
      <Facts facts={formFacts({ ...choices, sheet: plan.sheet ?? null }, t)} />
    </Section>
  );
}

const isSame = (a: PaymentChoices, b: PaymentChoices): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Findings with the ticks of the person, which the plan may not have yet. */
const withAccepted = (
  findings: PlannedPayment['plan']['findings'],
  accept: readonly FindingCode[],
): PlannedPayment['plan']['findings'] =>
  findings.map((finding) => ({ ...finding, accepted: accept.includes(finding.code) }));
