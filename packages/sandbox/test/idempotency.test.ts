import { describe, expect, it } from '@jest/globals';
import { decideKey, type EarlierCreate, type KeyDecision } from '../src/core/idempotency.ts';
import { MODE_VALUES, type Modes } from '../src/core/modes.ts';

const TTL_MS = 60_000;

const earlier = (fields: Partial<EarlierCreate> = {}): EarlierCreate => ({
  id: 'first',
  state: 'COMPLETED',
  createdMs: 0,
  isPayloadEqual: true,
  isBodyEqual: false,
  ...fields,
});

const decide = (
  idempotency: Modes['idempotency'],
  known: EarlierCreate | null,
  { isPoisoned = false, nowMs = TTL_MS - 1 } = {},
): string =>
  textOf(decideKey({ idempotency, keyTtlMs: TTL_MS }, { isPoisoned, earlier: known }, nowMs));

function textOf(decision: KeyDecision): string {
  if (decision.kind === 'replay') return `replay ${decision.id}`;
  return decision.kind === 'refuse' ? decision.code : decision.kind;
}

const OTHER = { isPayloadEqual: false };
const SAME_BYTES = { isBodyEqual: true };
const IN_FLIGHT = { state: 'CREATION_IN_PROGRESS' } as const;

describe('a key that was used before', () => {
  it.each<[Modes['idempotency'], Partial<EarlierCreate>, string]>([
    ['replay', {}, 'replay first'],
    ['replay', OTHER, 'IDEMPOTENCY_KEY_CONFLICT'],
    ['reject-400', {}, 'IDEMPOTENCY_KEY_EXISTS'],
    ['reject-400', OTHER, 'IDEMPOTENCY_KEY_EXISTS'],
    ['reject-409', {}, 'IDEMPOTENCY_KEY_USED'],
    ['reject-409', OTHER, 'IDEMPOTENCY_KEY_USED'],
    ['reject-422-other-body', {}, 'replay first'],
    ['reject-422-other-body', OTHER, 'IDEMPOTENCY_KEY_MISMATCH'],
    ['replay-even-if-other-body', {}, 'replay first'],
    ['replay-even-if-other-body', OTHER, 'replay first'],
    ['raw-bytes-fingerprint', {}, 'IDEMPOTENCY_KEY_CONFLICT'],
    ['raw-bytes-fingerprint', SAME_BYTES, 'replay first'],
    ['poisoned-after-500', {}, 'replay first'],
    ['poisoned-after-500', OTHER, 'IDEMPOTENCY_KEY_CONFLICT'],
    ['key-ttl', {}, 'replay first'],
    ['key-ttl', OTHER, 'IDEMPOTENCY_KEY_CONFLICT'],
    ['key-ttl', { createdMs: -1 }, 'create'],
    ['key-ttl', { ...OTHER, createdMs: -1 }, 'create'],
    ['in-flight-409', {}, 'replay first'],
    ['in-flight-409', OTHER, 'IDEMPOTENCY_KEY_CONFLICT'],
    ['in-flight-409', IN_FLIGHT, 'IDEMPOTENCY_KEY_IN_FLIGHT'],
    ['ignores-key', {}, 'create'],
    ['ignores-key', OTHER, 'create'],
  ])('in the mode %s with %j: %s', (mode, fields, decision) => {
    expect(decide(mode, earlier(fields))).toBe(decision);
  });

  it.each(MODE_VALUES.idempotency)('is poisoned only in one mode, not in %s', (mode) => {
    const isPoisonedMode = mode === 'poisoned-after-500';
    const decision = decide(mode, null, { isPoisoned: true });
    expect(decision).toBe(isPoisonedMode ? 'IDEMPOTENCY_KEY_POISONED' : 'create');
  });
});

it.each(MODE_VALUES.idempotency)('a new key creates in the mode %s', (mode) => {
  expect(decide(mode, null)).toBe('create');
});
