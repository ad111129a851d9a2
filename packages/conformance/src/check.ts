import type { Operation } from '@bursar/merchant-api/spec';
import type { CheckRun } from './run.ts';

/** The means of a run that its options allow or name. */
export type RunMeans =
  /** The run may make wallets and webhook subscriptions. */
  | 'objects'
  /** The run may pay money. */
  | 'payments'
  /** The options name an address to which a withdrawal fails, or one that fails the validation. */
  | 'failing-address'
  | 'invalid-address'
  /** The service can reach this computer. */
  | 'receiver'
  /** A person or a payment can trigger events with webhooks. */
  | 'events'
  /** A person can act in the service's own interface. The sandbox's admin API plays that person. */
  | 'person';

/** The reason why a sentence stays open: missing means, or the specification itself. */
export type OpenReason =
  | RunMeans
  | 'operation'
  /** The service did not give an object that the check needs. */
  | 'object'
  | 'time'
  | 'specification'
  | 'occasion';

/** The result of a check. */
export type CheckVerdict =
  | Readonly<{ kind: 'met'; found?: string }>
  | Readonly<{ kind: 'broken'; expected: string; came: string }>
  | Readonly<{ kind: 'open'; needs: OpenReason; reason: string }>;

/** The sentence of a check, and its place in the specification. */
export type CheckSentence = Readonly<{
  /** Never renamed: people choose checks by it. */
  id: string;
  /** The heading of the specification above the sentence. */
  section: string;
  sentence: string;
}>;

/** A check of one sentence against a running service. */
export type ConformanceCheck = CheckSentence &
  Readonly<{
    /** Operations and means that it needs. */
    needs: readonly (Operation | RunMeans)[];
    /** How long it takes by the specification, in seconds. A fast sandbox takes less. */
    takesS?: number;
    /** Throws Unmet when the service does something else. */
    try(run: CheckRun): Promise<CheckVerdict>;
  }>;

export const met = (found?: string): CheckVerdict =>
  found === undefined ? { kind: 'met' } : { kind: 'met', found };

/** The specification does not show the answer. `reason` describes that of this service. */
export const notShown = (reason: string): CheckVerdict => ({
  kind: 'open',
  needs: 'specification',
  reason,
});

/** The service may meet the sentence, but this run had no occasion to see it. */
export const notSeen = (reason: string): CheckVerdict => ({
  kind: 'open',
  needs: 'occasion',
  reason,
});
