/**
 * ASSUMED: the spec shows neither values of `errorCode` nor HTTP statuses of error answers
 * ("Errors" 6 and 7).
 * This table is the only place that knows them.
 */
export const REFUSALS = {
  REQUEST_MALFORMED: { status: 400, message: 'The request is not valid HTTP.' },
  CONTENT_TYPE_INVALID: { status: 415, message: 'Content-Type must be application/json.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  KEY_UNKNOWN: { status: 401, message: 'The header Key is missing or unknown.' },
  SIGNATURE_INVALID: { status: 401, message: 'The header Sign does not match the body.' },
  JSON_INVALID: { status: 400, message: 'The body is not valid JSON.' },
  FIELD_UNKNOWN: { status: 400, message: 'The request has a field that is not documented.' },
  FIELD_INVALID: { status: 400, message: 'A field is missing or has a wrong value.' },
  TIMESTAMP_OUT_OF_WINDOW: {
    status: 400,
    message: 'The timestamp is more than 3 minutes away from the time of the service.',
  },
  ACCOUNT_FORBIDDEN: { status: 403, message: 'The account does not belong to the key.' },
  NOT_FOUND: { status: 404, message: 'No such object.' },
  IDEMPOTENCY_KEY_CONFLICT: {
    status: 409,
    message: 'The idempotencyKey was used with another payload.',
  },
  TOO_MANY_ROWS: { status: 400, message: 'massAddresses has too many entries.' },
  INSUFFICIENT_FUNDS: {
    status: 400,
    message: 'The balance does not cover the amounts and the fees.',
  },
  FAULT_INJECTED: { status: 500, message: 'This failure was asked for on the admin API.' },
  INTERNAL_ERROR: { status: 500, message: 'The sandbox failed; this is a defect of the sandbox.' },
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/**
 * A request that is answered by an error; `detail` says what is wrong with this one and holds no
 * secret.
 */
export class Refused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, detail?: string) {
    super(detail === undefined ? REFUSALS[code].message : `${REFUSALS[code].message} ${detail}`);
    this.name = 'Refused';
    this.code = code;
  }

  get status(): number {
    return REFUSALS[this.code].status;
  }
}
