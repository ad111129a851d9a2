/** The result of one send of one create request. `PENDING`: no end was stored. */
export type AttemptOutcome =
  | 'PENDING'
  | 'VOID'
  | 'NOT_SENT'
  | 'ACCEPTED'
  | 'REJECTED'
  | 'THROTTLED'
  | 'AMBIGUOUS';

/**
 * A reading of a clock that never jumps, in milliseconds. Two readings of one clock can be subtracted. Readings of two
 * clocks have nothing in common: another machine, or the same machine after a restart, is another clock.
 */
export type ClockReading = Readonly<{ clock: string; ms: number }>;

/**
 * One send, written down before it leaves. `timestampMs` is the one that is signed, always. Where the service wants
 * seconds, the client signs it rounded down, so the fence is never shorter than it must be.
 */
export type Attempt = Readonly<{
  n: number;
  timestampMs: number;
  /** Read after `timestampMs`, so that the time since then is never counted too long. Older versions wrote none. */
  begun?: ClockReading;
  outcome: AttemptOutcome;
  endedMs?: number;
  httpStatus?: number;
  errorCode?: string;
  traceId?: string;
  retryAfterMs?: number;
}>;

/** One lookup of the key at the service. `unavailable`: it has no such operation. */
export type Lookup = Readonly<{
  atMs: number;
  /** How many attempts had been stored when the lookup was sent. */
  attempts: number;
  result: 'found' | 'missed' | 'failed' | 'unavailable';
  /** The service's clock when the question was put, at the least: the `Date` of the answer less the wait for it. */
  serverDateMs?: number;
  /** Read before the question was put. Older versions wrote none. */
  asked?: ClockReading;
  /** How long before the question the newest open attempt was written down, at the least. Milliseconds. */
  elapsedMs?: number;
  /** The number of the last restore of the store when the question was put; missing: it was never restored. */
  epoch?: number;
}>;

/** The three ways out of NEEDS_OPERATOR. */
export type OperatorAnswer = Readonly<
  | { kind: 'adopt'; massPayoutId: string; atMs: number }
  /** `attempts`: how many had been stored when the person was asked; it covers no later ones. */
  /** `about`: the number of attempts that signed statements name; missing without a policy. */
  | { kind: 'not-created'; attempts: number; about?: number; atMs: number }
  | { kind: 'abandon'; atMs: number }
>;

/** All durable facts about the sending of one chunk. What follows from them is decided, never remembered. */
export type SendRecord = Readonly<{
  attempts: readonly Attempt[];
  lookups: readonly Lookup[];
  /** The mass payout that the service has for our key, once it was read and compared with the intent. */
  payout?: Readonly<{ id: string; differences: readonly string[] }>;
  /** Ids of further mass payouts that the service showed for this chunk. Each may have paid its rows once more. */
  others?: readonly string[];
  answer?: OperatorAnswer;
}>;
