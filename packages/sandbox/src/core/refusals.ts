import type { Modes } from './modes.ts';

/**
 * ASSUMED: the spec shows neither values of `errorCode` nor HTTP statuses of error answers
 * ("Errors" 6 and 7).
 * This table alone defines them.
 */
export const REFUSALS = {
  REQUEST_MALFORMED: { status: 400, message: 'The request is not valid HTTP.' },
  CONTENT_TYPE_INVALID: { status: 415, message: 'Content-Type must be application/json.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  KEY_UNKNOWN: { status: 401, message: 'The header Key is missing or unknown.' },
  SIGNATURE_INVALID: { status: 401, message: 'The header Sign does not match the body.' },
  JSON_INVALID: { status: 400, message: 'The body is not valid JSON.' },
  MODES_INVALID: { status: 400, message: 'The header Sandbox-Modes cannot be used.' },
  FIELD_UNKNOWN: { status: 400, message: 'The request has a field that is not documented.' },
  FIELD_INVALID: { status: 400, message: 'A field is missing or has a wrong value.' },
  TIMESTAMP_OUT_OF_WINDOW: {
    status: 400,
    message:
      'The timestamp is too far away from the time of the service: 3 minutes at most, or timestampWindowMs.',
  },
  ACCOUNT_FORBIDDEN: { status: 403, message: 'The account does not belong to the key.' },
  PAGE_FORBIDDEN: {
    status: 403,
    message: 'The admin API does not answer web pages of other sites.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not accept the method. The header Allow names the accepted ones.',
  },
  CLOCK_NOT_VIRTUAL: {
    status: 409,
    message: 'Time passes by itself here. Start the sandbox with BURSAR_SANDBOX_CLOCK=virtual.',
  },
  CASE_INCOMPLETE: {
    status: 409,
    message:
      'A case needs the bodies of all requests. Start the sandbox with BURSAR_SANDBOX_BODIES=kept.',
  },
  PATH_UNKNOWN: { status: 404, message: 'Nothing is served on this path.' },
  NOT_FOUND: { status: 404, message: 'No such object.' },
  STATE_CONFLICT: { status: 409, message: 'The state of the mass payout does not allow it.' },
  IDEMPOTENCY_KEY_CONFLICT: {
    status: 409,
    message: 'The idempotencyKey was used with another payload.',
  },
  IDEMPOTENCY_KEY_EXISTS: { status: 400, message: 'The idempotencyKey exists already.' },
  IDEMPOTENCY_KEY_USED: { status: 409, message: 'The idempotencyKey was used before.' },
  IDEMPOTENCY_KEY_MISMATCH: {
    status: 422,
    message: 'The idempotencyKey belongs to another payload.',
  },
  IDEMPOTENCY_KEY_IN_FLIGHT: {
    status: 409,
    message: 'A request with this idempotencyKey is still in progress.',
  },
  IDEMPOTENCY_KEY_POISONED: {
    status: 400,
    message: 'The idempotencyKey met an internal error and cannot be used again.',
  },
  TOO_MANY_REQUESTS: { status: 429, message: 'This key makes too many requests.' },
  TOO_MANY_ROWS: { status: 400, message: 'massAddresses has too many entries.' },
  INSUFFICIENT_FUNDS: {
    status: 400,
    message: 'The balance does not cover the amounts and the fees.',
  },
  FAULT_INJECTED: {
    status: 500,
    message: 'A fault that was set on the sandbox caused this failure.',
  },
  INTERNAL_ERROR: { status: 500, message: 'The sandbox failed. This is a defect of the sandbox.' },
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** Returns the HTTP status of a refusal. Failures of the service keep their own in every mode. */
export function refusalStatus(code: RefusalCode, mode: Modes['errorStatus']): number {
  const { status } = REFUSALS[code];
  if (mode === 'by-kind' || status >= 500) return status;
  return mode === 'all-400' ? 400 : 200;
}

const ERROR_CODE_FOR_ALL = 'ERROR';

export const shownErrorCode = (code: RefusalCode, mode: Modes['errorCode']): string =>
  mode === 'by-kind' ? code : ERROR_CODE_FOR_ALL;

/** A request that gets an error answer. `detail` explains this one and contains no secret. */
export class Refused extends Error {
  readonly code: RefusalCode;
  /** How long to wait before the next request, in seconds. */
  readonly retryAfterS: number | null;

  constructor(code: RefusalCode, detail?: string, retryAfterS: number | null = null) {
    super(detail === undefined ? REFUSALS[code].message : `${REFUSALS[code].message} ${detail}`);
    this.name = 'Refused';
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}
