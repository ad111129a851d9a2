import { all, broken, met, type Verdict } from './check.ts';
import type { Answer } from './service.ts';

type Rule = (value: unknown) => boolean;

/** Kinds of values, by the specification's own words. */
export const is = {
  text: (value: unknown): boolean => typeof value === 'string',
  number: (value: unknown): boolean => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value: unknown): boolean => typeof value === 'boolean',
  list: Array.isArray,
  object: (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
  uuid: (value: unknown): boolean =>
    typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
  dateTime: (value: unknown): boolean =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  oneOf:
    (values: readonly string[]): Rule =>
    (value) =>
      typeof value === 'string' && values.includes(value),
  optional:
    (rule: Rule): Rule =>
    (value) =>
      value === undefined || value === null || rule(value),
} as const;

/** Whether a record has these fields of these kinds. Fields that nobody documents are fine. */
export function hasFields(record: unknown, rules: Readonly<Record<string, Rule>>): Verdict {
  if (!is.object(record)) return broken(`no object: ${shorten(JSON.stringify(record))}`);
  const wrong = Object.entries(rules).filter(([name, rule]) => !rule(fieldOf(record, name)));
  if (wrong.length === 0) return met();
  const told = wrong.map(([name]) => `${name} = ${shorten(JSON.stringify(fieldOf(record, name)))}`);
  return broken(told.join(', '));
}

/** As {@link hasFields}, for every record of a list, which may be empty. */
export const eachHasFields = (
  records: unknown,
  rules: Readonly<Record<string, Rule>>,
): Promise<Verdict> | Verdict =>
  Array.isArray(records)
    ? all(...records.map((record) => () => hasFields(record, rules)))
    : broken(`no list: ${shorten(JSON.stringify(records))}`);

export const fieldOf = (record: unknown, name: string): unknown =>
  typeof record === 'object' && record !== null
    ? (record as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The record of an answer, which may stand in `data`. Spec: "AnyResponseDTO". */
export const recordOf = ({ json }: Answer, sign: string): unknown =>
  fieldOf(json, sign) === undefined && fieldOf(json, 'data') !== undefined
    ? fieldOf(json, 'data')
    : json;

export const succeeded = ({ status, text }: Answer): Verdict =>
  status >= 200 && status < 300 ? met() : broken(`status ${status}: ${shorten(text)}`);

/** Spec: "Errors" 1. */
export function isError({ status, json, text }: Answer): Verdict {
  if (status < 400) return broken(`accepted with status ${status}`);
  const verdict = hasFields(json, { traceId: is.text, errorCode: is.text, message: is.text });
  return verdict.kind === 'met'
    ? met(`${status} ${shorten(String(fieldOf(json, 'errorCode')))}`)
    : broken(`status ${status}, body ${shorten(text)}`);
}

const SHOWN_CHARS_MAX = 80;

const shorten = (text: string | undefined = 'nothing'): string =>
  text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}...` : text;
