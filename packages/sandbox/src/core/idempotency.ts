import type { PayoutState } from '@bursar/merchant-api/spec';
import type { Modes } from './modes.ts';
import type { RefusalCode } from './refusals.ts';

/** Earlier uses of an idempotency key by an account. */
export type KeyHistory = Readonly<{
  /** Whether the sandbox answered 500 to a request with this key. */
  isPoisoned: boolean;
  /** The latest mass payout with the key. */
  earlier: EarlierCreate | null;
}>;

export type EarlierCreate = Readonly<{
  id: string;
  state: PayoutState;
  createdMs: number;
  /**
   * Whether the present request has the same payload. White space and the order of fields do not
   * count.
   */
  isPayloadEqual: boolean;
  /** Whether the present request has the same bytes, with its timestamp. */
  isBodyEqual: boolean;
}>;

export type KeyDecision =
  | Readonly<{ kind: 'create' }>
  | Readonly<{ kind: 'replay'; id: string }>
  | Readonly<{ kind: 'refuse'; code: RefusalCode }>;

export type KeyModes = Readonly<{ idempotency: Modes['idempotency']; keyTtlMs: number }>;

/**
 * Decides what a create request with this key does: create, replay or refuse.
 * ASSUMED: the spec does not define it. Each mode copies a real kind of service. A replay returns
 * the record in its present state.
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

function decideRepeat(modes: KeyModes, earlier: EarlierCreate, nowMs: number): KeyDecision {
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
