import type { Operation } from './spec/endpoints.ts';
import { compact } from './compact.ts';

/**
 * The outcome of a call without a usable answer. Branch on it; no release renames or reuses a kind.
 *
 * - `not-sent`: provably no byte of the request left. The caller may send it again.
 * - `no-answer`: bytes may have left, and no whole answer came. The service may have acted.
 * - `refused`: a whole answer with a status outside 200-299. The client follows no redirect.
 * - `unreadable`: a status of 200-299 with an unusable body. The service has probably acted.
 * - `unavailable`: the option `endpoints` has '' for the operation, or the operation takes no such reference by the
 *   option `shapes`. The client sent nothing. `hasOperation` and `takesReference` show it beforehand.
 * - `invalid-input`: a mistake of the caller. The client sent nothing.
 */
export type MerchantApiErrorKind =
  | 'not-sent'
  | 'no-answer'
  | 'refused'
  | 'unreadable'
  | 'unavailable'
  | 'invalid-input';

/** Facts of a new `MerchantApiError`. None holds a body, a header, a key, a secret or a signature. */
export type MerchantApiErrorFacts = {
  /** The operation that failed. */
  readonly operation: Operation;
  /** The cause in the client's words. */
  readonly reason?: string | undefined;
  /** HTTP status. */
  readonly httpStatus?: number | undefined;
  /** `errorCode` of the error body. */
  readonly errorCode?: string | undefined;
  /** `message` of the error body. */
  readonly serviceMessage?: string | undefined;
  /** `traceId` of the error body. */
  readonly traceId?: string | undefined;
  /** Whether the error body has all three documented strings. */
  readonly documented?: boolean | undefined;
  /** Whether the service may have refused the age of the timestamp alone. */
  readonly mayBeTooOld?: boolean | undefined;
  /** `Retry-After` header, in milliseconds from now. */
  readonly retryAfterMs?: number | undefined;
  /** `Date` header of the answer, as Unix time in milliseconds. */
  readonly serverDateMs?: number | undefined;
  /** The signed timestamp, as Unix time in milliseconds. */
  readonly timestampMs?: number | undefined;
  /** SHA-256 of the request body, in lowercase hexadecimal. */
  readonly bodySha256?: string | undefined;
};

type Sentence = (facts: MerchantApiErrorFacts) => string;

const SENTENCES: Readonly<Record<MerchantApiErrorKind, Sentence>> = {
  'not-sent': ({ operation, reason }) => `${operation} was not sent: ${reason}.`,
  'no-answer': ({ operation, reason }) =>
    `${operation} got no whole answer: ${reason}. The service may have acted on it.`,
  refused: ({ operation, httpStatus }) => `${operation} was refused with status ${httpStatus}.`,
  unreadable: ({ operation, httpStatus, reason }) =>
    `${operation} was answered with status ${httpStatus}, but ${reason}.`,
  unavailable: ({ operation, reason }) =>
    `${operation} is not offered by this service${reason === undefined ? '' : `: ${reason}`}.`,
  'invalid-input': ({ operation, reason }) => `${operation} was not sent: ${reason}.`,
};

/**
 * The only error of the client: a stable `kind`, typed facts, and a `cause` where there is one.
 *
 * @example
 * if (error instanceof MerchantApiError && error.kind === 'not-sent') sendAgain();
 */
export class MerchantApiError extends Error {
  /** Name of the class, in every release. */
  override readonly name = 'MerchantApiError';
  /** The outcome of the call. Branch on it. */
  readonly kind: MerchantApiErrorKind;
  /** The operation that failed. */
  declare readonly operation: Operation;
  /** The cause in the client's words: a system error code, `time-out`, or the name of a field. */
  declare readonly reason?: string;
  /** HTTP status. Also set on `no-answer` when the status line arrived but the body did not. */
  declare readonly httpStatus?: number;
  /**
   * `errorCode` of the error body, cut to 100 characters, without hidden characters. Text from
   * outside: escape it where you show it. Spec: "Errors", which does not show the values.
   */
  declare readonly errorCode?: string;
  /**
   * `message` of the error body, cut to 300 characters, without hidden characters. Text from
   * outside: escape it where you show it.
   */
  declare readonly serviceMessage?: string;
  /** `traceId` of the error body, cut to 100 characters, without hidden characters. */
  declare readonly traceId?: string;
  /** On `refused`: whether the error body has all three documented strings. Spec: "Errors" 1. */
  declare readonly documented?: boolean;
  /**
   * On `refused`: true when the answer came so late, by the local clock, that the timestamp may have left
   * the window. Then the refusal shows nothing about the rest of the request. Spec:
   * "Request envelope".
   */
  declare readonly mayBeTooOld?: boolean;
  /** On `refused`: the `Retry-After` header, in milliseconds from now, without an upper limit. */
  declare readonly retryAfterMs?: number;
  /** `Date` header of the answer, as Unix time in milliseconds. */
  declare readonly serverDateMs?: number;
  /** The signed timestamp, as Unix time in milliseconds. Absent before the client signs. */
  declare readonly timestampMs?: number;
  /** SHA-256 of the request body, in lowercase hexadecimal. Absent before the client signs. */
  declare readonly bodySha256?: string;

  constructor(kind: MerchantApiErrorKind, facts: MerchantApiErrorFacts, options?: ErrorOptions) {
    super(SENTENCES[kind](facts), options);
    this.kind = kind;
    Object.assign(this, compact(facts));
  }
}
