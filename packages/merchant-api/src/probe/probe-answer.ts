import { compact } from '../compact.ts';
import type { MerchantApiError } from '../errors.ts';

/** The answer to one question of a probe. */
export type ProbeAnswer =
  | Readonly<{ kind: 'value'; httpStatus: number; value: unknown }>
  | Readonly<{
      /** Any whole answer that is no value: an error body with any status, or the page of a proxy. */
      kind: 'refused';
      httpStatus: number;
      errorCode?: string;
      message?: string;
      cause?: MerchantApiError;
    }>
  | Readonly<{
      /** No answer, one that may be another a moment later, or a question that was not put. */
      kind: 'none';
      reason: string;
      cause?: MerchantApiError;
    }>;

/** An answer that is no value. */
export type RefusedAnswer = Extract<ProbeAnswer, { kind: 'refused' }>;

/** Statuses of a service, or of a proxy before it, that cannot answer now. */
const STATUSES_BUSY: readonly number[] = [408, 425, 429, 502, 503, 504];

/** The answer that a failed call had. */
export function answerOfError(error: MerchantApiError): ProbeAnswer {
  const { kind, reason, httpStatus = 0, errorCode, serviceMessage, mayBeTooOld } = error;
  const isAnswer = kind === 'refused' || kind === 'unreadable';
  if (!isAnswer) return { kind: 'none', reason: reason ?? kind, cause: error };
  if (mayBeTooOld === true) return { kind: 'none', reason: 'it came too late', cause: error };
  if (STATUSES_BUSY.includes(httpStatus))
    return { kind: 'none', reason: `status ${httpStatus}`, cause: error };
  const texts = compact({ errorCode, message: serviceMessage });
  return { kind: 'refused', httpStatus, ...texts, cause: error };
}

/** Whether the service refuses the key, or its right to the operation. ASSUMED statuses. Spec: "Errors" 7. */
const isOfKey = (answer: ProbeAnswer): boolean =>
  answer.kind === 'refused' && (answer.httpStatus === 401 || answer.httpStatus === 403);

/** Whether the service refuses an operation for this key, by its answers there, and by that at a path that is not served. */
export const isForbidden = (answers: readonly ProbeAnswer[], pathControl: ProbeAnswer): boolean =>
  answers.every(isOfKey) && !isOfKey(pathControl);

/** An answer in one line, with the service's own words. Text from outside: escape it where you show it. */
export function wordsOf(answer: ProbeAnswer): string {
  if (answer.kind === 'none') return `no answer: ${answer.reason}`;
  if (answer.kind === 'value') return `status ${answer.httpStatus}`;
  const { httpStatus, errorCode, message } = answer;
  return [`status ${httpStatus}`, errorCode, message]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** Status and code of a refusal: two refusals for one reason have the same. */
export const codeOf = ({ httpStatus, errorCode = '' }: RefusedAnswer): string =>
  `${httpStatus} ${errorCode}`;

/** Names of fields, which a message repeats: they say which field a request had, and not what is wrong with it. */
const FIELD_NAMES = /\b(?:payload|account|idempotencyKey|id|bursarProbe)\b/gi;

/** Parts of a message that differ between two answers for one reason: quoted texts, paths, ids, numbers, and names of fields. */
const VARIABLE_PARTS = [
  /"[^"]*"|'[^']*'|`[^`]*`/g,
  /\/[^\s,;:)]*/g,
  /\b(?:0x)?[0-9a-f]{8}[0-9a-f-]*\b/gi,
  /\d+/g,
  FIELD_NAMES,
] as const;

/** Status, code and message of a refusal, without what differs between two answers for one reason. */
export function kindOfRefusal(refusal: RefusedAnswer): string {
  let text = refusal.message ?? '';
  for (const part of VARIABLE_PARTS) text = text.replace(part, '#');
  const words = text
    .toLowerCase()
    .split(/[^a-z#\p{L}]+/u)
    .filter((word, index, all) => word !== '' && !(word === '#' && all[index - 1] === '#'));
  return `${codeOf(refusal)} ${words.join(' ')}`;
}
