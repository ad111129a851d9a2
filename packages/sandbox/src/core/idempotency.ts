import type { PayoutState } from '@bursar/merchant-api/spec';
import type { Modes } from './modes.ts';
import type { RefusalCode } from './refusals.ts';

/** What an account did with an idempotency key before. */
export type KeyHistory = Readonly<{
  /** Whether a request with this key was answered 500. */
  isPoisoned: boolean;
  /** The latest mass payout that was made with the key. */
  earlier: Earlier | null;
}>;

export type Earlier = Readonly<{
  id: string;
  state: PayoutState;
  createdMs: number;
  /** Whether the request of now means the same, however it is written. */
  isPayloadEqual: boolean;
  /** Whether the request of now has the same bytes, its timestamp included. */
  isBodyEqual: boolean;
}>;

export type KeyDecision =
  | Readonly<{ kind: 'create' }>
  | Readonly<{ kind: 'replay'; id: string }>
  | Readonly<{ kind: 'refuse'; code: RefusalCode }>;

type KeyModes = Pick<Modes, 'idempotency' | 'keyTtlMs'>;

/**
 * What follows from the idempotency key of a create request.
 * ASSUMED: the spec does not say it; each mode is what real services do. A replay answers with the record in its state of
 * now.
 */
export function decideKey(
  modes: KeyModes,
  { isPoisoned, earlier }: KeyHistory,
  nowMs: number,
): KeyDecision {
  if (modes.idempotency === 'poisoned-after-500' && isPoisoned) {
    return refuse('IDEMPOTENCY_KEY_POISONED');
  }
  return earlier === null ? { kind: 'create' } : decideRepeat(modes, earlier, nowMs);
}

function decideRepeat(modes: KeyModes, earlier: Earlier, nowMs: number): KeyDecision {
  const replay: KeyDecision = { kind: 'replay', id: earlier.id };
  const replayIf = (isSame: boolean, code: RefusalCode): KeyDecision =>
    isSame ? replay : refuse(code);
  const replayIfSame = replayIf(earlier.isPayloadEqual, 'IDEMPOTENCY_KEY_CONFLICT');
  switch (modes.idempotency) {
    case 'replay':
    case 'poisoned-after-500':
      return replayIfSame;
    case 'reject-400':
      return refuse('IDEMPOTENCY_KEY_EXISTS');
    case 'reject-409':
      return refuse('IDEMPOTENCY_KEY_USED');
    case 'reject-422-other-body':
      return replayIf(earlier.isPayloadEqual, 'IDEMPOTENCY_KEY_MISMATCH');
    case 'replay-even-if-other-body':
      return replay;
    case 'raw-bytes-fingerprint':
      return replayIf(earlier.isBodyEqual, 'IDEMPOTENCY_KEY_CONFLICT');
    case 'key-ttl':
      return nowMs - earlier.createdMs < modes.keyTtlMs ? replayIfSame : { kind: 'create' };
    case 'in-flight-409':
      return earlier.state === 'CREATION_IN_PROGRESS'
        ? refuse('IDEMPOTENCY_KEY_IN_FLIGHT')
        : replayIfSame;
    case 'ignores-key':
      return { kind: 'create' };
  }
}

const refuse = (code: RefusalCode): KeyDecision => ({ kind: 'refuse', code });
