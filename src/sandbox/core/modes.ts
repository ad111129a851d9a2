/**
 * Everything that the specification does not show, as a choice. The first value of each list is what the sandbox does when
 * it is not told otherwise. See README.md, "Modes".
 */
export const MODE_VALUES = {
  /** What a repeated `idempotencyKey` meets. */
  idempotency: [
    'replay',
    'reject-400',
    'reject-409',
    'reject-422-other-body',
    'replay-even-if-other-body',
    'raw-bytes-fingerprint',
    'poisoned-after-500',
    'key-ttl',
    'in-flight-409',
    'ignores-key',
  ],
  /** Whether anything can be found by its `idempotencyKey`. */
  lookupByKey: ['available', 'absent'],
  /** The shape of a webhook's body. */
  webhookBody: ['nested', 'flat', 'opaque'],
  /** How a webhook proves where it comes from. */
  webhookSignature: ['hmac-sha512', 'none'],
  /** The HTTP statuses of error answers. */
  errorStatus: ['by-kind', 'all-400'],
  /** The values of `errorCode`. */
  errorCode: ['by-kind', 'one-for-all'],
  /** Which fields of a create request must be there. */
  createRequires: ['needed', 'all', 'key-not'],
  /** What `POST /api/v1/payout/mass` accepts as its body. */
  massGetAccepts: ['reference', 'id-only', 'key-only', 'without-payload'],
  /** The form of an account id. */
  accountId: ['hex', 'uuid', 'either'],
  /** How amounts are written in answers. */
  numbers: ['plain', 'exponent'],
  /** Whether answers have fields that no document names. */
  extraFields: ['none', 'some'],
  /** Whether a refusal for too many requests says how long to wait. */
  retryAfter: ['sent', 'left-out'],
} as const;

export type ModeName = keyof typeof MODE_VALUES;

/** How the sandbox plays the service. */
export type Modes = Readonly<{ [Name in ModeName]: (typeof MODE_VALUES)[Name][number] }> &
  Readonly<{
    /** How long something that was created cannot be found by its key, in milliseconds. */
    lookupLagMs: number;
    /** How long the mode `key-ttl` remembers a key, in milliseconds. */
    keyTtlMs: number;
    /** Withdrawals in one mass payout at most; null: any number. */
    withdrawalsMax: number | null;
    /** Requests that one key may make in a second; null: any number. */
    requestsPerSecond: number | null;
  }>;
