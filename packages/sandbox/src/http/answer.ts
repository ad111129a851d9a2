import { randomUUID } from 'node:crypto';
import { DEFAULT_MODES, type Modes } from '../core/modes.ts';
import { type RefusalCode, Refused, refusalStatus, shownErrorCode } from '../core/refusals.ts';
import { formatAnswer } from './answer-format.ts';
import { type ExactJsonValue, writeJson } from './exact-json.ts';

/** An answer with the facts that the log of requests keeps. */
export type HttpAnswer = Readonly<{
  status: number;
  body: string;
  /** Null when the request was accepted. */
  errorCode: RefusalCode | null;
  /** The id of the object in the answer, if there is one. */
  objectId: string | null;
  /** Seconds for the header `Retry-After`. Null: no such header. */
  retryAfterS: number | null;
}>;

export const okHttpAnswer = (value: ExactJsonValue): HttpAnswer => ({
  status: 200,
  body: textOf(value),
  errorCode: null,
  objectId: idOf(value) ?? idOf(dataOf(value)),
  retryAfterS: null,
});

/** The text of each value, so that a value that an operation returns again is not written again. */
const texts = new WeakMap<object, string>();

function textOf(value: ExactJsonValue): string {
  if (typeof value !== 'object' || value === null) return writeJson(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = writeJson(value);
  texts.set(value, text);
  return text;
}

/** Spec: "Errors" 1: traceId, errorCode and message, and no other field unless a mode adds one. */
export function refusalAnswer(
  { code, message, retryAfterS }: Refused,
  modes: Modes = DEFAULT_MODES,
): HttpAnswer {
  const errorCode = shownErrorCode(code, modes.errorCode);
  const body = { traceId: randomUUID(), errorCode, message };
  return {
    status: refusalStatus(code, modes.errorStatus),
    body: writeJson(formatAnswer(body, { ...modes, writeAccount: null })),
    errorCode: code,
    objectId: null,
    retryAfterS: modes.retryAfter === 'sent' ? retryAfterS : null,
  };
}

/** An answer without any part of the request. */
export const bareRefusalAnswer = (code: RefusalCode): HttpAnswer =>
  refusalAnswer(new Refused(code));

/** The object in an answer that wraps it. Spec: AnyResponseDTO. */
const dataOf = (value: ExactJsonValue): ExactJsonValue =>
  typeof value === 'object' && value !== null && 'data' in value ? (value.data ?? null) : null;

function idOf(value: ExactJsonValue): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' ? value.id : null;
}
