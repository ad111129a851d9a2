import type { Operation } from '../spec/endpoints.ts';
import { compact } from '../compact.ts';
import { MerchantApiError, type MerchantApiErrorFacts } from '../errors.ts';
import { readJson } from '../json/read-json.ts';
import type { WireHead, WireResult } from '../transport/exchange.ts';
import { cleanText } from './clean-text.ts';
import {
  type ErrorBody,
  isDocumented,
  NOTHING_TOLD,
  readErrorBody,
  readErrorFields,
} from './error-body.ts';
import { readRetryAfterMs, readServerDateMs } from './head-facts.ts';
import { safeCause } from './safe-cause.ts';
import { Unreadable } from './unreadable.ts';

/** A usable answer, with what identifies the call. */
export type Answer<T> = Readonly<{
  value: T;
  httpStatus: number;
  /** The `Date` header as Unix time in milliseconds. */
  serverDateMs?: number;
  /** `traceId` of the answer, should the service give one. */
  traceId?: string;
  /** When the question was put: the timestamp that was signed, Unix time in milliseconds. */
  timestampMs: number;
  /** SHA-256 of the request body in lowercase hexadecimal. */
  bodySha256: string;
}>;

/** The call that an exchange belongs to. */
export type CallFacts<T> = Readonly<{
  operation: Operation;
  timestampMs: number;
  bodySha256: string;
  /** Our own strings that a service could quote back and that no error may show. */
  withheld: readonly string[];
  /** Whether a body of no bytes is an answer, and anything else but an error body. */
  anyShape: boolean;
  /** Makes the value from the parsed body; throws `Unreadable`. */
  read: (json: unknown) => T;
}>;

/** Characters kept of a stranger's sentence, and of a stranger's id or code. */
const MESSAGE_LENGTH_MAX = 300;
const ID_LENGTH_MAX = 100;

type Failure = Extract<WireResult, { kind: 'failure' }>;
type Arrival = Extract<WireResult, { kind: 'answer' }>;

/** Decides what a finished exchange means. Pure. */
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
    ...toldFacts(body, facts),
    documented: isDocumented(body),
    retryAfterMs: readRetryAfterMs(headers, receivedAtMs),
  });
}

function concludeSuccess<T>(arrival: Arrival, facts: CallFacts<T>): Answer<T> | MerchantApiError {
  const head = headFacts(arrival.head);
  let body: ErrorBody = NOTHING_TOLD;
  try {
    const json = readBody(arrival.body, facts);
    body = readErrorFields(json);
    if (facts.anyShape && isDocumented(body)) throw new Unreadable(IS_ERROR_BODY);
    const { traceId } = toldFacts(body, facts);
    const { timestampMs, bodySha256 } = facts;
    return { value: facts.read(json), timestampMs, bodySha256, ...compact({ ...head, traceId }) };
  } catch (cause) {
    // Whatever fails from here on, the service has answered: it must not look as if nothing was
    // sent.
    const known = { ...callFacts(facts), ...head, ...whyUnreadable(cause, body, facts) };
    return new MerchantApiError('unreadable', known, { cause });
  }
}

const IS_ERROR_BODY = 'it is an error body';

function whyUnreadable(cause: unknown, body: ErrorBody, facts: CallFacts<unknown>) {
  if (isDocumented(body)) return { reason: IS_ERROR_BODY, ...toldFacts(body, facts) };
  return { reason: cause instanceof Unreadable ? cause.message : 'reading it failed' };
}

/** What the service says in its own words, made safe to keep. */
function toldFacts(body: ErrorBody, { withheld: ours }: CallFacts<unknown>) {
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
