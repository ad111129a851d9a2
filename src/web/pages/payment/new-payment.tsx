import type { FileQuestion } from '../../../domain/errors/file-question.ts';
import { requirementsOf } from '../../../domain/approval/requirements.ts';
import type { FindingCode } from '../../../domain/plan/finding.ts';
import { type FileForm, PLAIN_FORM } from '../../../domain/rows/file-form.ts';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/use-action.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FindingList } from '../../parts/finding-list.tsx';
import { NextPart } from '../../parts/next-part.tsx';
import { PageHead } from '../../parts/section.tsx';
import { linkTo, openLink } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { useMay, useSigned } from '../../shell/session.tsx';
import { ChoicesForm } from './choices.tsx';
import { ConfirmForm } from './confirm.tsx';
import { DecimalComma } from './decimal-comma.tsx';
import { DefaultCurrency } from './default-currency.tsx';
import { DropZone } from './drop-zone.tsx';
import { FileQuestions } from './file-questions.tsx';
import {
  type ChosenFile,
  makePlan,
  planOrQuestion,
  NO_CHOICES,
  type PaymentChoices,
  type PlannedPayment,
  sendFile,
  submitPlan,
} from './payment.ts';
import { PlanView } from './plan.tsx';
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
  const [first, setFirst] = useState<PlannedPayment | null>(null);
  const [form, setForm] = useState<FileForm>(PLAIN_FORM);
  const [asks, setAsks] = useState<FileQuestion | null>(null);
  const plan = async (sent: ChosenFile, stated: FileForm): Promise<string> => {
    const made = await planOrQuestion(sent, { ...NO_CHOICES, form: stated });
    if ('plan' in made) {
      setFirst(made);
      setAsks(null);
      return t.payment.read(sent.name);
    }
    setForm(stated);
    setAsks(made);
    return t.file.asked;
  };
  const choose = (chosen: File): void => {
    setFile(null);
    setFirst(null);
    setForm(PLAIN_FORM);
    setAsks(null);
    void upload.run(async () => {
      const sent = await sendFile(chosen);
      setFile(sent);
      return plan(sent, PLAIN_FORM);
    });
  };
  const answer = (stated: FileForm): void => {
    if (file !== null) void upload.run(() => plan(file, stated));
  };
  return (
    <>
      <DropZone onFile={choose} isBusy={upload.isRunning} fileName={file?.name ?? null} />
      <ErrorNote what={t.payment.notRead} error={upload.error} />
      {asks === null ? null : (
        <NextPart key={JSON.stringify(asks)}>
          <FileQuestions asks={asks} form={form} isBusy={upload.isRunning} onAnswer={answer} />
        </NextPart>
      )}
      {file === null || first === null ? null : (
        <NextPart>
          <PlannedSteps file={file} first={first} person={session.person} />
        </NextPart>
      )}
    </>
  );
}

type PlannedStepsProps = Readonly<{ file: ChosenFile; first: PlannedPayment; person: string }>;

/** The steps after a file was read. `first`: its plan without any choice of the person. */
function PlannedSteps({ file, first, person }: PlannedStepsProps) {
  const t = useTexts();
  const update = useAction();
  const submit = useAction();
  const [choices, setChoices] = useState<PaymentChoices>(first.choices);
  const [planned, setPlanned] = useState<PlannedPayment>(first);
  const { plan } = planned;
  const replan = (): Promise<boolean> =>
    update.run(async () => {
      setPlanned(await makePlan(file, choices));
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
      <DecimalComma
        refused={first.plan.refused}
        isChosen={choices.form.decimalComma}
        onChoose={(decimalComma) =>
          setChoices({ ...choices, form: { ...choices.form, decimalComma } })
        }
      />
      <DefaultCurrency
        refused={first.plan.refused}
        chosen={choices.currency}
        onChoose={(currency) => setChoices({ ...choices, currency })}
      />
      <RefusedRows file={file} planned={planned} />
      {plan.digest === null ? null : <PlanView planned={planned} />}
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

const isSame = (a: PaymentChoices, b: PaymentChoices): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Findings with the ticks of the person, which the plan may not have yet. */
const withAccepted = (
  findings: PlannedPayment['plan']['findings'],
  accept: readonly FindingCode[],
): PlannedPayment['plan']['findings'] =>
  findings.map((finding) => ({ ...finding, accepted: accept.includes(finding.code) }));
