import type { ServiceAnswer } from './service.ts';

/** The service does not do what a sentence demands. */
export class Unmet extends Error {
  readonly expected: string;
  readonly came: string;

  constructor(expected: string, came: string) {
    super(`expected ${expected}, and ${came} came`);
    this.name = 'Unmet';
    this.expected = expected;
    this.came = came;
  }
}

/** An object that checks need, and the check that breaks when the service does not give it. */
export type NeededObject = Readonly<{ words: string; checkedBy: string }>;

/** A check cannot be tried, because the service did not give an object that it needs. */
export class Unprepared extends Error {
  readonly needed: NeededObject;
  readonly unmet: Unmet;

  constructor(needed: NeededObject, unmet: Unmet) {
    super(`it needs ${needed.words}: ${unmet.message} (see ${needed.checkedBy})`);
    this.name = 'Unprepared';
    this.needed = needed;
    this.unmet = unmet;
  }
}

/** A check cannot decide, because too little time passed, or too much. */
export class TooSlow extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'TooSlow';
  }
}

export function demand(holds: boolean, expected: string, came: unknown): void {
  if (!holds) throw new Unmet(expected, typeof came === 'string' ? came : show(came));
}

export const demandEqual = (name: string, came: unknown, expected: unknown): void =>
  demand(came === expected, `${name} ${show(expected)}`, came);

/**
 * Whether the status is 200 to 299 and the body is no error. The specification does not show the
 * status of errors.
 */
export const isAccepted = ({ status, json }: ServiceAnswer): boolean =>
  status >= 200 && status < 300 && !isErrorBody(json);

/**
 * Whether the service refused the request. A failure of the service, 500 and above, is not a
 * refusal.
 */
export const isRefused = (answer: ServiceAnswer): boolean =>
  !isAccepted(answer) && answer.status < 500;

const isErrorBody = (json: unknown): boolean => typeof fieldOf(json, 'errorCode') === 'string';

const ACCEPTANCE = 'that the request is accepted';

/** The expectation of a check that sends a mistake. */
export const REFUSAL = 'that the request is refused';

export function demandAccepted(answer: ServiceAnswer): ServiceAnswer {
  demand(isAccepted(answer), ACCEPTANCE, showAnswer(answer));
  return answer;
}

/** Throws Unprepared unless the request was accepted. */
export function demandFor(answer: ServiceAnswer, needed: NeededObject): ServiceAnswer {
  if (isAccepted(answer)) return answer;
  throw new Unprepared(needed, new Unmet(ACCEPTANCE, showAnswer(answer)));
}

/** Makes an object whose making is the sentence of the check itself: a refusal is a breach. */
export async function own<Result>(making: Promise<Result>): Promise<Result> {
  try {
    return await making;
  } catch (error) {
    throw error instanceof Unprepared ? error.unmet : error;
  }
}

/** Throws Unmet unless the request was refused. Returns status and error code. */
export function demandRefused(answer: ServiceAnswer): string {
  demand(isRefused(answer), REFUSAL, showAnswer(answer));
  return showAnswer(answer);
}

export const fieldOf = (record: unknown, name: string): unknown =>
  typeof record === 'object' && record !== null
    ? (record as Readonly<Record<string, unknown>>)[name]
    : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Returns the record of an answer, which may be in `data`. `sign` is a field of the record. Spec:
 * AnyResponseDTO.
 */
export const recordOf = ({ json }: ServiceAnswer, sign: string): unknown =>
  fieldOf(json, sign) === undefined && fieldOf(json, 'data') !== undefined
    ? fieldOf(json, 'data')
    : json;

export const showAnswer = ({ status, json, text }: ServiceAnswer): string => {
  const errorCode = fieldOf(json, 'errorCode');
  return `${status} ${typeof errorCode === 'string' ? shorten(errorCode) : shorten(text)}`.trim();
};

/** Returns the names of a record's fields, for records that the specification does not show. */
export const namesIn = (record: unknown): string =>
  typeof record === 'object' && record !== null ? Object.keys(record).join(', ') : 'no record';

const SHOWN_CHARS_MAX = 100;

/** Returns a value as short text. */
export const show = (value: unknown): string => shorten(JSON.stringify(value) ?? 'nothing');

const shorten = (text: string): string =>
  text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}...` : text;
