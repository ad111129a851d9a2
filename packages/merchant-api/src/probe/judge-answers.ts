import { codeOf, kindOfRefusal, type ProbeAnswer, type RefusedAnswer } from './probe-answer.ts';

/**
 * Whether the service understood a question. `unclear`: its answers do not show it.
 *
 * - `understood`: its answer differs from those to surely wrong questions
 * - `not-understood`: it answered as it does to a surely wrong question, and understood another one
 */
export type Verdict = 'understood' | 'not-understood' | 'unclear';

/** Answers to surely wrong questions. */
export type WrongAnswers = Readonly<{
  /** To questions that the operation cannot understand. */
  controls: readonly ProbeAnswer[];
  /** At a path where nothing is served. */
  pathControl: ProbeAnswer;
}>;

/** Ways to put one question, with the answers of one operation. */
export type JudgedAnswers<Name extends string> = WrongAnswers &
  Readonly<{
    answers: Readonly<Partial<Record<Name, ProbeAnswer>>>;
    /** Whether every question names an object that exists. */
    namesExisting?: boolean;
  }>;

/**
 * Judges which questions the service understood.
 *
 * The questions name an object that does not exist, so each is refused. A question that was understood is refused for
 * another reason than a surely wrong one: with another code, or with a message about a missing object. Where all refusals
 * have one code, the message must have words of its own, and be the same for each question.
 */
export function judgeAnswers<Name extends string>(
  trial: JudgedAnswers<Name>,
): Partial<Record<Name, Verdict>> {
  const answers = Object.entries<ProbeAnswer>(trial.answers as Record<string, ProbeAnswer>);
  const likenesses = new Map(answers.map(([name, answer]) => [name, likenessOf(answer, trial)]));
  const others = answers.filter(
    ([name, { kind }]) => kind === 'refused' && likenesses.get(name)?.startsWith('other') === true,
  );
  const isOneKind = new Set(others.map(([, answer]) => kindOf(answer))).size === 1;
  const isUnderstood = (name: string): boolean =>
    likenesses.get(name) === 'other' || (isOneKind && likenesses.get(name) === 'other-message');
  // A record that was found does not show how the service refuses a missing object: perhaps as a wrong question.
  const hasUnderstood = answers.some(
    ([name, { kind }]) =>
      isUnderstood(name) && (kind === 'refused' || trial.namesExisting === true),
  );
  const verdictOf = (name: string): Verdict => {
    if (isUnderstood(name)) return 'understood';
    return hasUnderstood && likenesses.get(name) === 'same' ? 'not-understood' : 'unclear';
  };
  const verdicts = answers.map(([name]) => [name, verdictOf(name)] as const);
  return Object.fromEntries(verdicts) as Partial<Record<Name, Verdict>>;
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

function likenessOf(answer: ProbeAnswer, { controls, pathControl }: WrongAnswers): Likeness {
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
  if (MISSING_OBJECT.test(answer.message ?? '')) return 'other';
  const hasNewWords = !refusals.some((refusal) => isPartOf(answer, refusal));
  return codes.size === 1 && hasNewWords ? 'other-message' : 'unclear';
}

/** Whether a message has no words of its own: a service may list every fault of a request, and a wrong question has more. */
function isPartOf(part: RefusedAnswer, whole: RefusedAnswer): boolean {
  const words = new Set(kindOfRefusal(whole).split(' '));
  return kindOfRefusal(part)
    .split(' ')
    .every((word) => words.has(word));
}

const kindOf = (answer: ProbeAnswer): string =>
  answer.kind === 'refused' ? kindOfRefusal(answer) : answer.kind;
