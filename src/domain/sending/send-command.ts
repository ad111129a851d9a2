import type { Attempt } from './send-record.ts';

/** Why a person must decide. Codes are never renamed: reports and histories hold them. */
export type OperatorReason =
  | 'PAYOUT_DIFFERS'
  | 'TWO_PAYOUTS'
  | 'SECOND_PAYOUT_POSSIBLE'
  | 'LOOKUP_UNPROVEN'
  | 'LOOKUP_DISPROVEN'
  | 'LOOKUP_FAILING'
  | 'RESEND_BY_OPERATOR'
  | 'REJECTED_AFTER_DOUBT'
  | 'ATTEMPTS_USED_UP'
  | 'CREATED_NOT_FOUND';

/** What to do next for a chunk. Times are in milliseconds since 1970. */
export type SendCommand = Readonly<
  | { kind: 'lookup' }
  | { kind: 'read'; massPayoutId: string }
  /** Check whether a lookup still finds an accepted mass payout. */
  | { kind: 'verify-lookup' }
  | { kind: 'attempt'; n: number }
  | { kind: 'wait'; untilMs: number; why: string; inDoubt: boolean }
  | { kind: 'created' }
  | { kind: 'rejected'; attempt: Attempt }
  | { kind: 'abandoned' }
  /** Provably nothing was created, and nothing will be. */
  | { kind: 'closed' }
  | { kind: 'needs-operator'; reason: OperatorReason }
  /** A person was asked, and has not answered. */
  | { kind: 'asked' }
  /** Take the question back: the reason for it is gone. What follows is decided again from the beginning. */
  | { kind: 'withdraw' }
>;

/**
 * Reasons that can pass without a person: the service proves its lookups again, or answers again. Every other one is about
 * something that only a person can find out.
 */
const REASONS_THAT_PASS: readonly OperatorReason[] = ['LOOKUP_UNPROVEN', 'LOOKUP_FAILING'];

export const canPass = (reason: OperatorReason | undefined): boolean =>
  reason !== undefined && REASONS_THAT_PASS.includes(reason);
