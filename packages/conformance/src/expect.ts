import type { Answer } from './service.ts';

/** The service does something else than a sentence says. */
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

export function demand(holds: boolean, expected: string, came: unknown): void {
  if (!holds) throw new Unmet(expected, typeof came === 'string' ? came : show(came));
}

export const demandEqual = (name: string, came: unknown, expected: unknown): void =>
  demand(came === expected, `${name} ${show(expected)}`, came);

/** Answers of 200 to 299 that are no error. The specification does not show the status of errors. */
export const isAccepted = ({ status, json }: Answer): boolean =>
  status >= 200 && status < 300 && !isErrorBody(json);

/** A failure of the service itself, 500 and above, refuses nothing. */
export const isRefused = (answer: Answer): boolean => !isAccepted(answer) && answer.status < 500;

const isErrorBody = (json: unknown): boolean => typeof fieldOf(json, 'errorCode') === 'string';

export function demandAccepted(answer: Answer): Answer {
  demand(isAccepted(answer), 'that the request is accepted', showAnswer(answer));
  return answer;
}

/** Status and error code of the refusal. */
export function demandRefused(answer: Answer): string {
  demand(isRefused(answer), 'that the request is refused', showAnswer(answer));
  return showAnswer(answer);
}

export const fieldOf = (record: unknown, name: string): unknown =>
  typeof record === 'object' && record !== null
    ? (record as Readonly<Record<string, unknown>>)[name]
    : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The record of an answer, which may stand in `data`; `sign` is a field that it must have. Spec: AnyResponseDTO. */
export const recordOf = ({ json }: Answer, sign: string): unknown =>
  fieldOf(json, sign) === undefined && fieldOf(json, 'data') !== undefined
    ? fieldOf(json, 'data')
    : json;

export const showAnswer = ({ status, json, text }: Answer): string => {
  const errorCode = fieldOf(json, 'errorCode');
  return `${status} ${typeof errorCode === 'string' ? shorten(errorCode) : shorten(text)}`.trim();
};

/** Names of the fields of a record, for records that the specification does not show. */
export const namesIn = (record: unknown): string =>
  typeof record === 'object' && record !== null ? Object.keys(record).join(', ') : 'no record';

const SHOWN_CHARS_MAX = 100;

/** A value in a few words; a JSON text where there is one. */
export const show = (value: unknown): string => shorten(JSON.stringify(value) ?? 'nothing');

const shorten = (text: string): string =>
  text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}...` : text;
