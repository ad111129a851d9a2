import type { Operation } from '@bursar/merchant-api/spec';
import type { Run } from './run.ts';

/** What a run may do or knows only when it was told so. */
export type Means =
  /** Wallets and webhook subscriptions may be made. */
  | 'objects'
  /** Money may be paid. */
  | 'payments'
  /** An address is known to which a withdrawal fails, or that fails the validation. */
  | 'failing-address'
  | 'invalid-address'
  /** The service reaches this computer. */
  | 'receiver'
  /** Something can be made to happen of which webhooks tell: by a person or by a payment. */
  | 'events'
  /** A person acts in the service's own interface, as the sandbox's admin API does. */
  | 'person';

/** Why a sentence stays open: what is missing, or that the specification itself leaves it open. */
export type Openness = Means | 'operation' | 'time' | 'specification' | 'occasion';

/** What came of trying one sentence. */
export type Verdict =
  | Readonly<{ kind: 'met'; found?: string }>
  | Readonly<{ kind: 'broken'; expected: string; came: string }>
  | Readonly<{ kind: 'open'; needs: Openness; reason: string }>;

/** One sentence of the specification that can be tried against a running service. */
export type Check = Readonly<{
  /** Never renamed: people choose checks by it. */
  id: string;
  /** The heading of the specification under which the sentence stands. */
  section: string;
  sentence: string;
  /** Operations and means without which it cannot be tried. */
  needs: readonly (Operation | Means)[];
  /** How long it takes by the specification, in seconds; a fast sandbox takes less. */
  takesS?: number;
  /** Throws Unmet where the service does something else. */
  try(run: Run): Promise<Verdict>;
}>;

export const met = (found?: string): Verdict =>
  found === undefined ? { kind: 'met' } : { kind: 'met', found };

/** The specification does not show it; this is what the service does. */
export const notShown = (reason: string): Verdict => ({
  kind: 'open',
  needs: 'specification',
  reason,
});

/** It may be as the specification says, but nothing was seen of it. */
export const notSeen = (reason: string): Verdict => ({
  kind: 'open',
  needs: 'occasion',
  reason,
});
