import type { Operation } from '../spec/endpoints.ts';
import { compact } from '../compact.ts';
import { MerchantApiError, type MerchantApiErrorFacts } from '../errors.ts';
import { readJson } from '../json/read-json.ts';
import type { OpenValue } from '../records/open-value.ts';
import type { WireHead, WireResult } from '../transport/exchange.ts';
import { cleanText } from './clean-text.ts';
import {
  type ErrorBody,
  isDocumented,
  EMPTY_ERROR_BODY,
  readErrorBody,
  readErrorFields,
} from './error-body.ts';
import { readRetryAfterMs, readServerDateMs } from './head-facts.ts';
import { withRaw } from './raw.ts';
import { safeCause } from './safe-cause.ts';
import { Unreadable } from './unreadable.ts';

/** The answer to a call, with the facts that identify the call. */
export type Answer<T> = {
  /** The record that the service returned. */
  readonly value: T;
  /** HTTP status, from 200 to 299. */
  readonly httpStatus: number;
  /** `Date` header of the answer, as Unix time in milliseconds. Absent when it has none. */
  readonly serverDateMs?: number;
  /** `traceId` of the answer, at most 100 characters. Absent when it has none. */
  readonly traceId?: string;
  /** The signed timestamp: Unix time in milliseconds. */
  readonly timestampMs: number;
  /** SHA-256 of the request body in lowercase hexadecimal. */
  readonly bodySha256: string;
  /**
   * The whole answer: every field, each number as exact decimal text, null for an empty body. Of a name that comes twice it has
   * the last value. It may hold secrets. Not enumerable, so that logs, `JSON.stringify` and copies of the answer never have it.
   */
  readonly raw?: OpenValue;
};

/** The call that an exchange belongs to, and the reader of its answer. */
export type CallFacts<T> = {
  readonly operation: Operation;
  readonly timestampMs: number;
  /** How old the timestamp may become, in milliseconds. */
  readonly windowMs: number;
  readonly bodySha256: string;
  /** Own secrets that a service could quote. No error may show them. */
  readonly withheld: readonly string[];
  /** Whether an empty body, and any JSON but an error body, is an answer. */
  readonly anyShape: boolean;
  /** Returns the value of a parsed body. Throws `Unreadable`. */
  readonly read: (json: unknown) => T;
};

/** Largest number of characters of the service's message, and of its ids and codes. */
const MESSAGE_LENGTH_MAX = 300;
const ID_LENGTH_MAX = 100;

type Failure = Extract<WireResult, { kind: 'failure' }>;
type Arrival = Extract<WireResult, { kind: 'answer' }>;

/** Returns the answer or the error of a finished exchange. Pure. */
export function concludeCall<T>(
  result: WireResult,
  facts: CallFacts<T>,
): Answer<T> | MerchantApiError {
  if (result.kind === 'failure') return concludeFailure(result, facts);
  const { httpStatus } = result.head;
  if (httpStatus < 200 || httpStatus > 299) return concludeRefusal(result, facts);
  return concludeSuccess(result, facts);
}

function concludeFailure(failure: Failure, facts: CallFacts<unknown>): MerchantApiError {
  const cause = safeCause(failure.cause);
  const kind = failure.mayHaveLeft ? 'no-answer' : 'not-sent';
  const known = failure.head === undefined ? {} : headFacts(failure.head);
  return new MerchantApiError(
    kind,
    { ...callFacts(facts), ...known, reason: cause.code },
    { cause },
  );
}

function concludeRefusal(arrival: Arrival, facts: CallFacts<unknown>): MerchantApiError {
  const body = readErrorBody(arrival.body);
  const { headers, receivedAtMs } = arrival.head;
  return new MerchantApiError('refused', {
    ...callFacts(facts),
    ...headFacts(arrival.head),
    ...bodyFacts(body, facts),
    documented: isDocumented(body),
    mayBeTooOld: mayBeTooOld(arrival.head, facts),
    retryAfterMs: readRetryAfterMs(headers, receivedAtMs),
  });
}

/** True when the answer came after the window; else undefined. A `Date` may be wrong, so only the local clock counts. */
const mayBeTooOld = (
  { receivedAtMs }: WireHead,
  { timestampMs, windowMs }: CallFacts<unknown>,
): true | undefined => (receivedAtMs - timestampMs >= windowMs ? true : undefined);

function concludeSuccess<T>(arrival: Arrival, facts: CallFacts<T>): Answer<T> | MerchantApiError {
  const head = headFacts(arrival.head);
  let body: ErrorBody = EMPTY_ERROR_BODY;
  try {
    const json = readBody(arrival.body, facts);
    body = readErrorFields(json);
    if (facts.anyShape && isDocumented(body)) throw new Unreadable(IS_ERROR_BODY);
    const { traceId } = bodyFacts(body, facts);
    const { timestampMs, bodySha256 } = facts;
    const value = facts.read(json);
    const answer = { value, timestampMs, bodySha256, ...compact({ ...head, traceId }) };
    return withRaw(answer, arrival.body);
  } catch (cause) {
    // The service has answered, so no failure here may become `not-sent`.
    const known = { ...callFacts(facts), ...head, ...whyUnreadable(cause, body, facts) };
    return new MerchantApiError('unreadable', known, { cause });
  }
}

const IS_ERROR_BODY = 'it is an error body';

function whyUnreadable(cause: unknown, body: ErrorBody, facts: CallFacts<unknown>) {
  if (isDocumented(body)) return { reason: IS_ERROR_BODY, ...bodyFacts(body, facts) };
  return { reason: cause instanceof Unreadable ? cause.message : 'reading it failed' };
}

/** Texts of the error body, cut and cleaned. */
function bodyFacts(body: ErrorBody, { withheld: ours }: CallFacts<unknown>) {
  const withheld = [...ours, ...body.secretKeys];
  return {
    errorCode: cleanOptional(body.errorCode, ID_LENGTH_MAX, withheld),
    serviceMessage: cleanOptional(body.message, MESSAGE_LENGTH_MAX, withheld),
    traceId: cleanOptional(body.traceId, ID_LENGTH_MAX, withheld),
  };
}

function readBody(body: Buffer | undefined, { anyShape }: CallFacts<unknown>): unknown {
  if (body === undefined) throw new Unreadable('the body is over the limit');
  return anyShape && body.length === 0 ? undefined : readJson(body);
}

const callFacts = ({
  operation,
  timestampMs,
  bodySha256,
}: CallFacts<unknown>): MerchantApiErrorFacts => ({ operation, timestampMs, bodySha256 });

const headFacts = ({ httpStatus, headers }: WireHead) => ({
  httpStatus,
  serverDateMs: readServerDateMs(headers),
});

function cleanOptional(
  text: string | undefined,
  lengthMax: number,
  withheld: readonly string[],
): string | undefined {
  return text === undefined ? undefined : cleanText(text, { lengthMax, withheld });
}
