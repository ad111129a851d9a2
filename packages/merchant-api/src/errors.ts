import type { Operation } from './spec/endpoints.ts';
import { compact } from './compact.ts';

/**
 * What became of a call that gave no usable answer. Callers branch on it; names are never changed
 * or reused.
 *
 * - `not-sent`: provably no byte of the request left; it may be sent again.
 * - `no-answer`: bytes may have left, and no whole answer came: the service may have acted on it.
 * - `refused`: a whole answer with a status outside 200-299, redirects included; nothing is
 *   followed.
 * - `unreadable`: a status of 200-299 with a body that cannot be used: the service has probably
 *   acted on it.
 * - `unavailable`: this service has no such operation, by configuration; nothing was sent.
 * - `invalid-input`: the caller's mistake; nothing was sent.
 */
export type MerchantApiErrorKind =
  | 'not-sent'
  | 'no-answer'
  | 'refused'
  | 'unreadable'
  | 'unavailable'
  | 'invalid-input';

/** Typed facts of an error. None holds a body, a header, a key, a secret or a signature. */
export type MerchantApiErrorFacts = Readonly<{
  operation: Operation;
  /** Why, in our own words: an error code of the system, `time-out`, the name of a field. */
  reason?: string | undefined;
  /** Also set on `no-answer` when the status line came but the body did not. */
  httpStatus?: number | undefined;
  /** `errorCode` of the error body. A stranger's text: cut, hidden characters removed. */
  errorCode?: string | undefined;
  /** `message` of the error body. A stranger's text: cut, hidden characters removed. */
  serviceMessage?: string | undefined;
  traceId?: string | undefined;
  /** On `refused`: the error body had all three documented strings. Spec: "Errors" 1. */
  documented?: boolean | undefined;
  /** On `refused`: the `Retry-After` header as milliseconds from now; not capped. */
  retryAfterMs?: number | undefined;
  /** The `Date` header as Unix time in milliseconds. */
  serverDateMs?: number | undefined;
  /** The timestamp that was signed, Unix time in milliseconds, once there is one. */
  timestampMs?: number | undefined;
  /** SHA-256 of the request body, once there is one. */
  bodySha256?: string | undefined;
}>;

type Sentence = (facts: MerchantApiErrorFacts) => string;

const SENTENCES: Readonly<Record<MerchantApiErrorKind, Sentence>> = {
  'not-sent': ({ operation, reason }) => `${operation} was not sent: ${reason}.`,
  'no-answer': ({ operation, reason }) =>
    `${operation} got no whole answer: ${reason}. The service may have acted on it.`,
  refused: ({ operation, httpStatus }) => `${operation} was refused with status ${httpStatus}.`,
  unreadable: ({ operation, httpStatus, reason }) =>
    `${operation} was answered with status ${httpStatus}, but ${reason}.`,
  unavailable: ({ operation }) => `${operation} is not offered by this service.`,
  'invalid-input': ({ operation, reason }) => `${operation} was not sent: ${reason}.`,
};

/** The one error of the client: a stable `kind`, typed facts, and a `cause` where there is one. */
export class MerchantApiError extends Error {
  override readonly name = 'MerchantApiError';
  readonly kind: MerchantApiErrorKind;
  declare readonly operation: Operation;
  declare readonly reason?: string;
  declare readonly httpStatus?: number;
  declare readonly errorCode?: string;
  declare readonly serviceMessage?: string;
  declare readonly traceId?: string;
  declare readonly documented?: boolean;
  declare readonly retryAfterMs?: number;
  declare readonly serverDateMs?: number;
  declare readonly timestampMs?: number;
  declare readonly bodySha256?: string;

  constructor(kind: MerchantApiErrorKind, facts: MerchantApiErrorFacts, options?: ErrorOptions) {
    super(SENTENCES[kind](facts), options);
    this.kind = kind;
    Object.assign(this, compact(facts));
  }
}
