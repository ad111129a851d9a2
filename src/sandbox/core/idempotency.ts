/**
 * How the service treats an idempotency key that it has seen. More behaviours of real services
 * follow here.
 */
export const IDEMPOTENCY_MODES = ['replay'] as const;

export type IdempotencyMode = (typeof IDEMPOTENCY_MODES)[number];

/** What is known when a create request arrives whose key was used before by the same account. */
export type Repeat = Readonly<{ isPayloadEqual: boolean }>;

export type RepeatDecision = 'create' | 'replay' | 'conflict';

/**
 * What follows from a create request with a known key.
 * ASSUMED: the spec does not say it. `replay` answers with the first record in its state of now,
 * and refuses another payload.
 */
export function decideRepeat(mode: IdempotencyMode, { isPayloadEqual }: Repeat): RepeatDecision {
  switch (mode) {
    case 'replay':
      return isPayloadEqual ? 'replay' : 'conflict';
  }
}
