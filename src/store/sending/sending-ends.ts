import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import { forbidsSending } from '../../domain/sending/answers.ts';
import { SENDABLE } from '../../domain/sending/reduce.ts';
import type { OperatorAnswer } from '../../domain/sending/send-record.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import { ENGINE } from '../audit/audited.ts';
import type { ChunkFacts, Decision, WriteChunk } from '../chunk-writes/write.ts';
import type { Schema } from '../database/schema.ts';
import { verificationIn } from '../restore/restores.ts';
import { NO_ATTENTION } from './attempts.ts';
import { askOperator, clearAdoption, setAnswer, withdrawQuestion } from './operator-answers.ts';
import { answerOf, type ChunkRef } from './send-records.ts';

/** The person who answers for a chunk, and further facts for the audit log. */
export type Answering = Readonly<{ actor: string; detail: Readonly<Record<string, unknown>> }>;

/** The end of the sending of a chunk, and the answers of a person about it. */
export const createSendEnds = (write: WriteChunk) => ({
  /** The service refused the create for certain: its rows were not paid. */
  setRejected: (at: ChunkRef, decided: Decided): Promise<boolean> =>
    write({
      at,
      action: 'reject',
      decide: (facts) => conclude(facts, decided, atEnd('REJECTED', 'FAILED', decided.reason)),
    }),

  /** Nothing was created and nothing will be: the batch was stopped first. */
  setNotSent: (at: ChunkRef, decided: Decided): Promise<boolean> =>
    write({
      at,
      action: 'close',
      decide: (facts) => conclude(facts, decided, atEnd('NOT_SENT', 'NOT_SENT', decided.reason)),
    }),

  /** A person gave the chunk up: its rows may or may not be paid, and no resend takes them. */
  setAbandoned: (at: ChunkRef, reason: string): Promise<void> =>
    write({
      at,
      action: 'abandon',
      decide: () => ({
        result: undefined,
        changes: { row: atEnd('ABANDONED', 'UNKNOWN', reason) },
      }),
    }),

  /**
   * Returns false, and changes nothing, when the chunk was sent, found, refused, closed or answered since the decision.
   */
  setNeedsOperator: (at: ChunkRef, decided: Decided, sinceMs: number): Promise<boolean> =>
    write({
      at,
      action: 'ask-operator',
      decide: (facts) => askOperator(facts, { ...decided, sinceMs }),
    }),

  /**
   * Withdraws a question whose only cause was a missing verification or answer. From here on an answer to it clears no
   * attempt. Returns false when a person has answered, or a send or a find happened, since the decision.
   */
  withdrawQuestion: (at: ChunkRef, attempts: number): Promise<boolean> =>
    write({
      at,
      action: 'withdraw-question',
      decide: (facts) => withdrawQuestion(facts, attempts),
    }),

  /**
   * Stores an operator's answer, once: of two people who answer at the same time the second is refused, unless both
   * answers are equal. Throws CHUNK_NOT_WAITING.
   */
  setAnswer: (
    at: ChunkRef,
    answer: OperatorAnswer,
    { actor, detail }: Answering = { actor: ENGINE, detail: {} },
  ): Promise<void> =>
    write({
      at,
      action: 'resolve',
      actor,
      decide: (facts) => ({ ...setAnswer(facts, answer), detail }),
    }),

  /** Drops the adoption of a mass payout that led to nothing; another answer of a person stays. */
  clearAdoption: (at: ChunkRef, massPayoutId: string): Promise<void> =>
    write({ at, action: 'drop-answer', decide: (facts) => clearAdoption(facts, massPayoutId) }),
});

/** The decision, the number of attempts at that time, and the state of the chunk then. */
export type Decided = Readonly<{ attempts: number; from: ChunkState; reason: string }>;

/**
 * Closes a chunk's rows as unpaid for good, if the facts of the decision are still complete. Returns false when another
 * worker has sent or found something since, a person was asked or has answered, or the chunk must be verified. The caller
 * then decides again.
 */
function conclude(
  { row, attempts, restore }: ChunkFacts,
  decided: Decided,
  end: Partial<Schema['chunk']>,
): Decision<boolean> {
  const isSame = row.state === decided.from && attempts.length === decided.attempts;
  const isOpen = SENDABLE.includes(decided.from) && row.mass_payout_id === null;
  if (!isSame || !isOpen || forbidsSending(answerOf(row.answer_json).answer)) {
    return { result: false };
  }
  if (verificationIn(restore, row) === 'due') return { result: false };
  return { result: true, changes: { row: end } };
}

const atEnd = (state: ChunkState, outcome: Outcome, reason: string): Partial<Schema['chunk']> => ({
  state,
  ...NO_ATTENTION,
  default_outcome: outcome,
  default_reason: reason,
  final: 1,
});
