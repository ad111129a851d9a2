import { SHAPES, TIMESTAMP_WINDOW_MS } from '@bursar/merchant-api/spec';

/**
 * Every point that the specification leaves open, as a choice. The first value of each list is the
 * default. See README.md, "Modes".
 */
export const MODE_VALUES = {
  ...SHAPES,
  /** The answer to a repeated `idempotencyKey`. */
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
  /** Whether a lookup by `idempotencyKey` finds anything. */
  lookupByKey: ['available', 'absent', 'refused'],
  /** The shape of a webhook's body. */
  webhookBody: ['nested', 'flat', 'opaque'],
  /** How a webhook is signed. */
  webhookSignature: ['hmac-sha512', 'none'],
  /** The HTTP statuses of refusals. */
  errorStatus: ['by-kind', 'all-400', 'all-200'],
  /** The values of `errorCode`. */
  errorCode: ['by-kind', 'one-for-all'],
  /** The required fields of a create request. */
  createRequires: ['needed', 'all', 'key-not'],
  /** The form of an account id. */
  accountId: ['hex', 'uuid', 'either'],
  /** How answers write amounts. */
  numbers: ['plain', 'exponent'],
  /** Whether answers have undocumented fields. */
  extraFields: ['none', 'some'],
  /** Whether answers that the specification does not show are in `data`. Spec: AnyResponseDTO. */
  answerWrapper: ['none', 'data'],
  /**
   * The dates of failures of a subscription without any.
   * ASSUMED: the date of creation. Spec: "Webhook subscription" requires both dates.
   */
  errorDates: ['created-date', 'left-out', 'null'],
  /** Whether a refusal for too many requests has the header `Retry-After`. */
  retryAfter: ['sent', 'left-out'],
  /**
   * Whether test addresses decide the result of a new mass payout. With `paid` they are ordinary
   * addresses.
   */
  testAddresses: ['obeyed', 'paid'],
  /** The answer on a path that is not served: the error body, plain text, or the page of a proxy. */
  unknownPath: ['json', 'text', 'html'],
  /** Whether the log of requests keeps the bodies of requests and answers. */
  bodies: ['dropped', 'kept'],
} as const;

type Choices = Readonly<{
  [Name in keyof typeof MODE_VALUES]: (typeof MODE_VALUES)[Name][number];
}>;

type Limits = Readonly<{
  /**
   * How far the timestamp of a request may be from the service's clock, in milliseconds. The
   * specification has 180000.
   */
  timestampWindowMs: number;
  /** How long a lookup by key misses a new mass payout, in milliseconds. */
  lookupLagMs: number;
  /** How long the mode `key-ttl` keeps a key, in milliseconds. */
  keyTtlMs: number;
  /** The most withdrawals of one mass payout. Null: any number. */
  withdrawalsMax: number | null;
  /** The most requests of one key in a second. Null: any number. */
  requestsPerSecond: number | null;
  /** The lowest port of a receiver besides 80 and 443. Null: any port. */
  webhookPortMin: number | null;
  /** The most subscriptions of an account. Null: any number. */
  subscriptionsMax: number | null;
  /** The most objects on a page of a list. Null: any number. */
  pageSizeMax: number | null;
  /** The most bytes of a request's body. Null: any number. */
  bodyBytesMax: number | null;
}>;

/** The behaviour of the service where the specification leaves it open. */
export type Modes = Choices & Limits;

export type ModeName = keyof Modes;

/** A choice of some modes. */
export type SomeModes = Readonly<{ [Name in ModeName]?: Modes[Name] | undefined }>;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * ASSUMED: the spec sets no limit of ports, subscriptions, objects on a page, and bytes of a body. A
 * create request of 100,000 withdrawals has about 15 MB.
 */
export const DEFAULT_MODES: Modes = {
  idempotency: MODE_VALUES.idempotency[0],
  lookupByKey: MODE_VALUES.lookupByKey[0],
  webhookBody: MODE_VALUES.webhookBody[0],
  webhookSignature: MODE_VALUES.webhookSignature[0],
  errorStatus: MODE_VALUES.errorStatus[0],
  errorCode: MODE_VALUES.errorCode[0],
  createRequires: MODE_VALUES.createRequires[0],
  massGetAccepts: MODE_VALUES.massGetAccepts[0],
  accountIn: MODE_VALUES.accountIn[0],
  accountCase: MODE_VALUES.accountCase[0],
  timestampUnit: MODE_VALUES.timestampUnit[0],
  pageBase: MODE_VALUES.pageBase[0],
  accountId: MODE_VALUES.accountId[0],
  numbers: MODE_VALUES.numbers[0],
  extraFields: MODE_VALUES.extraFields[0],
  answerWrapper: MODE_VALUES.answerWrapper[0],
  errorDates: MODE_VALUES.errorDates[0],
  retryAfter: MODE_VALUES.retryAfter[0],
  testAddresses: MODE_VALUES.testAddresses[0],
  unknownPath: MODE_VALUES.unknownPath[0],
  bodies: MODE_VALUES.bodies[0],
  timestampWindowMs: TIMESTAMP_WINDOW_MS,
  lookupLagMs: 0,
  keyTtlMs: DAY_MS,
  withdrawalsMax: null,
  requestsPerSecond: null,
  webhookPortMin: 1_024,
  subscriptionsMax: 100,
  pageSizeMax: 1_000,
  bodyBytesMax: 64 * 1024 * 1024,
};

export const MODE_NAMES = Object.keys(DEFAULT_MODES) as readonly ModeName[];

/** Modes that do not concern a single request, so that no request can choose them. */
const LASTING_MODES: readonly ModeName[] = [
  'webhookBody',
  'webhookSignature',
  'requestsPerSecond',
  'unknownPath',
  'bodies',
  'webhookPortMin',
  'subscriptionsMax',
  'bodyBytesMax',
];

export const isRequestMode = (name: string): name is ModeName =>
  (MODE_NAMES as readonly string[]).includes(name) &&
  !(LASTING_MODES as readonly string[]).includes(name);

/** Returns the modes with some of them changed. */
export const withModes = (modes: Modes, changes: SomeModes): Modes => {
  const set = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...modes, ...(Object.fromEntries(set) as Partial<Modes>) };
};

/** The unit of timestamps in requests, in milliseconds. */
export const timestampUnitMs = ({ timestampUnit }: Modes): number =>
  timestampUnit === 's' ? 1_000 : 1;
