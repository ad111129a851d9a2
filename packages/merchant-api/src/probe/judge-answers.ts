import { codeOf, kindOfRefusal, type ProbeAnswer } from './probe-answer.ts';

/**
 * Whether the service understood a question. `unclear`: its answers do not show it.
 *
 * - `understood`: its answer differs from those to surely wrong questions
 * - `not-understood`: it answered as it does to a surely wrong question, and understood another one
 */
export type Verdict = 'understood' | 'not-understood' | 'unclear';

/** Answers to surely wrong questions. */
export type Controls = Readonly<{
  /** To questions that the operation cannot understand. */
  controls: readonly ProbeAnswer[];
  /** At a path where nothing is served. */
  pathControl: ProbeAnswer;
}>;

/** Ways to put one question, with the answers of one operation. */
export type Trial<Name extends string> = Controls &
  Readonly<{ answers: Readonly<Record<Name, ProbeAnswer>> }>;

/**
 * Judges which questions the service understood.
 *
 * The questions name an object that does not exist, so each is refused. A question that was understood is refused for
 * another reason than a surely wrong one. Where the refusals of a service have several codes, the code must differ, or
 * the message must say that the object does not exist. Where all have one code, the message must differ, and in the same
 * way for each question.
 */
export function judgeAnswers<Name extends string>(trial: Trial<Name>): Record<Name, Verdict> {
  const names = Object.keys(trial.answers) as Name[];
  const likenesses = new Map(names.map((name) => [name, likenessOf(trial.answers[name], trial)]));
  const otherMessages = names.filter((name) => likenesses.get(name) === 'other-message');
  const kinds = new Set(otherMessages.map((name) => kindOf(trial.answers[name])));
  const isUnderstood = (name: Name): boolean =>
    likenesses.get(name) === 'other' ||
    (likenesses.get(name) === 'other-message' && kinds.size === 1);
  const hasUnderstood = names.some(isUnderstood);
  const verdictOf = (name: Name): Verdict => {
    if (isUnderstood(name)) return 'understood';
    return hasUnderstood && likenesses.get(name) === 'same' ? 'not-understood' : 'unclear';
  };
  return Object.fromEntries(names.map((name) => [name, verdictOf(name)])) as Record<Name, Verdict>;
}

/** Whether an operation is served at a path, by its answers there, and by the answer at a path that is not served. */
export function isServed(
  answers: readonly ProbeAnswer[],
  pathControl: ProbeAnswer,
): boolean | undefined {
  const whole = answers.filter(({ kind }) => kind !== 'none');
  if (whole.some(({ kind }) => kind === 'value') && pathControl.kind !== 'value') return true;
  if (whole.length === 0 || pathControl.kind !== 'refused') return undefined;
  if (whole.every(isOfNoOperation)) return false;
  const control = kindOf(pathControl);
  return whole.some((answer) => !isOfNoOperation(answer) && kindOf(answer) !== control);
}

/** Statuses of a path that takes no such method, from any server. */
const STATUSES_NO_METHOD: readonly number[] = [405, 501];

const isOfNoOperation = (answer: ProbeAnswer): boolean =>
  answer.kind === 'refused' && STATUSES_NO_METHOD.includes(answer.httpStatus);

/** How an answer compares with those to surely wrong questions. */
type Likeness = 'same' | 'other' | 'other-message' | 'unclear';

/** Refusals that are not about the question: of the key, and failures of the service. */
const isAboutOther = ({ httpStatus }: Readonly<{ httpStatus: number }>): boolean =>
  httpStatus === 401 || httpStatus === 403 || httpStatus >= 500;

/** ASSUMED: words of a refusal for a missing object. Spec: "Errors" 6 shows no code. */
const MISSING_OBJECT = /\b(?:not (?:be )?found|no such|(?:does not|doesn't) exist)\b/i;

function likenessOf(answer: ProbeAnswer, { controls, pathControl }: Controls): Likeness {
  const known = controls.filter(({ kind }) => kind !== 'none');
  if (answer.kind === 'none' || known.length === 0) return 'unclear';
  if (answer.kind === 'value') {
    return known.some(({ kind }) => kind === 'value') ? 'unclear' : 'other';
  }
  if (known.some((control) => kindOf(control) === kindOf(answer))) return 'same';
  if (isAboutOther(answer)) return 'unclear';
  const refusals = known.flatMap((control) => (control.kind === 'refused' ? [control] : []));
  const codes = new Set(refusals.map(codeOf));
  if (!codes.has(codeOf(answer))) return 'other';
  if (pathControl.kind === 'refused') codes.add(codeOf(pathControl));
  if (codes.size === 1) return 'other-message';
  return MISSING_OBJECT.test(answer.message ?? '') ? 'other' : 'unclear';
}

const kindOf = (answer: ProbeAnswer): string =>
  answer.kind === 'refused' ? kindOfRefusal(answer) : answer.kind;
