import type { FileQuestion } from '../../../domain/errors/file-question.ts';
import type { FileForm } from '../../../domain/rows/file-form.ts';
import { ApiFailure } from '../../api/call.ts';
import {
  answeredAsBefore,
  headerOf,
  isSameHeader,
  type KeptAnswers,
  needsCurrency,
  needsDecimalComma,
} from '../../words/kept-answers.ts';
import {
  type ChosenFile,
  makePlan,
  NO_CHOICES,
  type PaymentChoices,
  type PlannedPayment,
  planOrQuestion,
} from './payment.ts';

/**
 * A file that was read, or the question about it. `bare`: its plan before a choice about its cells. `isAsBefore`: whether
 * answers for an earlier file were taken.
 */
export type FileReadOut =
  | Readonly<{ bare: PlannedPayment; planned: PlannedPayment; isAsBefore: boolean }>
  | Readonly<{ asks: FileQuestion; form: FileForm }>;

/** A file can ask for its sheet, and then for its columns. */
const QUESTIONS_MAX = 2;

/** Plans a file. Questions that the person answered for the last file are not put again. @throws ApiFailure */
export async function readFile(
  file: ChosenFile,
  stated: FileForm,
  last: KeptAnswers | null,
): Promise<FileReadOut> {
  const kept = last !== null && isSameHeader(last.header, headerOf(file.text)) ? last : null;
  let form = stated;
  let question: FileQuestion | null = null;
  for (let answered = 0; ; answered += 1) {
    const made = await planOrQuestion(file, { ...NO_CHOICES, form }).catch((error: unknown) => {
      // The answers do not fit after all.
      if (error instanceof ApiFailure && question !== null) return question;
      throw error;
    });
    if ('plan' in made) return withKeptChoices(file, made, { kept, isAsBefore: answered > 0 });
    if (made === question) return { asks: made, form: stated };
    const next = kept === null ? null : answeredAsBefore(made, form, kept.form);
    if (next === null || answered >= QUESTIONS_MAX) return { asks: made, form };
    question ??= made;
    form = next;
  }
}

/** The answers about the last file. */
type TakenOver = Readonly<{ kept: KeptAnswers | null; isAsBefore: boolean }>;

async function withKeptChoices(
  file: ChosenFile,
  bare: PlannedPayment,
  { kept, isAsBefore }: TakenOver,
): Promise<FileReadOut> {
  const { choices, plan } = bare;
  const hasCommas = kept !== null && kept.form.decimalComma && needsDecimalComma(plan.refused);
  const currency = kept !== null && needsCurrency(plan.refused) ? kept.currency : null;
  if (!hasCommas && currency === null) return { bare, planned: bare, isAsBefore };
  const form = { ...choices.form, decimalComma: hasCommas };
  const again: PaymentChoices = { ...choices, form, currency };
  return { bare, planned: await makePlan(file, again), isAsBefore: true };
}

/** By person, until the window is loaded again. */
const KEPT = new Map<string, KeptAnswers>();

export const keptAnswersOf = (person: string): KeptAnswers | null => KEPT.get(person) ?? null;

/** Keeps the answers that a plan was made with, for the next file of the person. */
export function keepAnswers(person: string, file: ChosenFile, { choices }: PlannedPayment): void {
  const { form, currency } = choices;
  KEPT.set(person, { header: headerOf(file.text), form, currency });
}
