import type { Approval } from '../domain/approval/statement.ts';
import type { HoldRef } from '../domain/holds/hold.ts';

/** "Look at these chunks": sent by the bridge when a webhook named them. A hint; it never carries a state. */
export type Hint = Readonly<{ chunks: readonly number[] }>;

/** Who did something and why; both appear in the report. */
export type Act = Readonly<{ by: string; reason: string }>;

/**
 * Takes a hold off. `hold`: the one that was read by whoever asks, and no other; without it the batch chooses. `approval`: a signed
 * approval of that hold; the policy of the plan can ask for several.
 */
export type Resume = Act & Readonly<{ hold?: HoldRef; approval?: Approval }>;

/** The result of an act that can need the signatures of several people. `missing`: who must still sign; empty: it is done. */
export type SignedActResult = Readonly<{ missing: readonly string[] }>;

/** An operator's answer for a chunk in NEEDS_OPERATOR. */
export type Resolve = Act &
  Readonly<{
    chunk: number;
    /** A signed statement of this very answer; the policy of the plan can ask for it. */
    approval?: Approval;
  }> &
  (
    | Readonly<{ answer: 'adopt'; massPayoutId: string }>
    /** `attempts`: how many attempts the chunk had when the person looked. With another number the answer is refused. */
    | Readonly<{ answer: 'not-created'; attempts?: number }>
    | Readonly<{ answer: 'abandon' }>
  );

/** An approval or a refusal, as an approver signed it. `by`: who hands it in, as their machine says; it proves nothing. */
export type ApproveInput = Readonly<{ approval: Approval; by?: string }>;
