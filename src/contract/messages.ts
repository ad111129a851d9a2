import type { Approval } from '../domain/approval/statement.ts';
import type { HoldRef } from '../domain/holds/hold.ts';

/** Chunks to read: the bridge sends this when a webhook named them. A hint; it never carries a state. */
export type Hint = Readonly<{ chunks: readonly number[] }>;

/** Who did something and why; both appear in the report. */
export type Act = Readonly<{ by: string; reason: string }>;

/**
 * Lifts a hold. `hold`: the one that the person has read, and no other; without it the batch chooses. `approval`: a
 * signed approval of that hold; the policy of the plan can need several.
 */
export type Resume = Act & Readonly<{ hold?: HoldRef; approval?: Approval }>;

/** The result of an act that can need the signatures of several people. `missing`: who must still sign; empty: it is done. */
export type SignedActResult = Readonly<{ missing: readonly string[] }>;

/** An operator's answer for a chunk in NEEDS_OPERATOR. */
export type Resolve = Act &
  Readonly<{
    chunk: number;
    /** A signed statement of this answer; the policy of the plan can need it. */
    approval?: Approval;
  }> &
  (
    | Readonly<{ answer: 'adopt'; massPayoutId: string }>
    /**
     * `attempts`: the number of attempts of the chunk when the person read it. With another number the answer is
     * refused.
     */
    | Readonly<{ answer: 'not-created'; attempts?: number }>
    | Readonly<{ answer: 'abandon' }>
  );

/**
 * An approval or a refusal, as an approver signed it. `by`: its sender, by the name of their machine; it proves
 * nothing.
 */
export type ApproveInput = Readonly<{ approval: Approval; by?: string }>;
