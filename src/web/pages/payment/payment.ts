import type { FileQuestion } from '../../../domain/errors/file-question.ts';
import type { FindingCode } from '../../../domain/plan/finding.ts';
import { type FileForm, PLAIN_FORM, statedForm } from '../../../domain/rows/file-form.ts';
import { ApiFailure, callApi, callFile, callOperation } from '../../api/call.ts';
import { queryText } from '../../api/places.ts';
import type { InputOf, ResultOf, WebPlan } from '../../api/results.ts';
import { signSubmission } from '../../passkey/submission.ts';

/** A file that was uploaded. `text`: its text, where the page can show it as a sheet. */
export type ChosenFile = Readonly<{ sha256: string; name: string; text: string | null }>;

/**
 * The choices of a person. `id`: empty: Bursar makes one. `currency`: of rows that name none; null: such rows are refused. `at`: an
 * instant; null: at once. `form`: the statements about the file.
 */
export type PaymentChoices = Readonly<{
  id: string;
  currency: string | null;
  at: string | null;
  skipInvalid: boolean;
  accept: readonly FindingCode[];
  form: FileForm;
}>;

export const NO_CHOICES: PaymentChoices = {
  id: '',
  currency: null,
  at: null,
  skipInvalid: false,
  accept: [],
  form: PLAIN_FORM,
};

/** A plan with the choices that it was made of. `isOnline`: whether balance and fees are known. */
export type PlannedPayment = Readonly<{
  plan: WebPlan;
  choices: PaymentChoices;
  isOnline: boolean;
}>;

/** A larger file is not shown as a sheet. Bytes. */
const SHOWN_BYTES_MAX = 5_000_000;

/** Uploads a file. Nothing is planned or paid. @throws ApiFailure */
export async function sendFile(file: File): Promise<ChosenFile> {
  const path = `/v1/files${queryText({ name: file.name })}`;
  const { sha256, name } = (await callApi(`PUT ${path}`, { body: file })) as Readonly<{
    sha256: string;
    name: string;
  }>;
  const isText = /\.csv$/i.test(file.name) && file.size <= SHOWN_BYTES_MAX;
  return { sha256, name, text: isText ? await file.text() : null };
}

/** Makes the plan of a file. Without an answer of the service it has neither balance nor fees. @throws ApiFailure */
export async function makePlan(file: ChosenFile, choices: PaymentChoices): Promise<PlannedPayment> {
  const input = inputOf(file, choices);
  try {
    const plan = await callOperation('planFile', { ...input, online: true });
    return { plan, choices, isOnline: true };
  } catch (error) {
    if (!isServiceAway(error)) throw error;
    return { plan: await callOperation('planFile', input), choices, isOnline: false };
  }
}

/** Makes the plan of a file, or returns the question that the person must answer first. @throws ApiFailure */
export async function planOrQuestion(
  file: ChosenFile,
  choices: PaymentChoices,
): Promise<PlannedPayment | FileQuestion> {
  try {
    return await makePlan(file, choices);
  } catch (error) {
    const asks = error instanceof ApiFailure ? error.facts.asks : undefined;
    if (asks === undefined) throw error;
    return asks;
  }
}

/** The rows of a file as CSV, with a column of their errors. @throws ApiFailure */
export const correctableOf = (file: ChosenFile, choices: PaymentChoices): Promise<Blob> =>
  callFile('POST /v1/plans/to-correct.csv', inputOf(file, choices));

function inputOf(
  { sha256, name }: ChosenFile,
  { id, accept, form, ...rest }: PaymentChoices,
): InputOf<'planFile'> {
  const stated = statedForm(form);
  const ofFile =
    stated === undefined ? {} : { form: { ...stated, ignoreColumns: [...stated.ignoreColumns] } };
  return {
    file: { sha256, name },
    choices: { ...rest, ...ofFile, id: id === '' ? null : id, accept: [...accept] },
  };
}

const isServiceAway = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.facts.status === 503 || error.facts.status === 403);

/** A finding as the server needs it: without texts. */
const seen = ({ code, count, examples }: WebPlan['findings'][number]) => ({
  code,
  count,
  examples: examples.map(({ row }) => ({ row })),
});

/** Starts exactly this plan. Where the policy counts signatures, the person signs. @throws ApiFailure, PasskeyFailure */
export async function submitPlan(
  { sha256, name }: ChosenFile,
  { batchId, choices, digest, parts, findings, currencies, submission, signing }: WebPlan,
  person: string,
): Promise<ResultOf<'submitFile'>> {
  if (digest === null || parts === null) throw new Error('The plan has no digest.');
  const input: InputOf<'submitFile'> = {
    file: { sha256, name },
    plan: { batchId, choices, digest, parts, findings: findings.map(seen) },
    confirm: currencies.map(({ currency, total }) => ({ currency, total })),
  };
  const signed = await signSubmission({ submission, signing, person, reason: '' });
  return callOperation('submitFile', { ...input, ...signed });
}
