import { randomUUID } from 'node:crypto';
import { REFUSALS, type RefusalCode, Refused } from '../core/refusals.ts';
import { type JsonValue, writeJson } from './exact-json.ts';

/** An answer before it leaves; `errorCode` is null when it is no error. */
export type Answer = Readonly<{ status: number; body: string; errorCode: RefusalCode | null }>;

export const okAnswer = (value: JsonValue): Answer => ({
  status: 200,
  body: writeJson(value),
  errorCode: null,
});

/** Spec: "Errors" 1: traceId, errorCode and message, and nothing else. */
export const refusalAnswer = (
  code: RefusalCode,
  message: string = REFUSALS[code].message,
): Answer => ({
  status: REFUSALS[code].status,
  body: writeJson({ traceId: randomUUID(), errorCode: code, message }),
  errorCode: code,
});

/** The answer of `work`; a refusal is an answer too, and any other error is thrown on. */
export function answerOf(work: () => JsonValue): Answer {
  try {
    return okAnswer(work());
  } catch (error) {
    if (error instanceof Refused) return refusalAnswer(error.code, error.message);
    throw error;
  }
}
