import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import { unasked } from '../../domain/sending/answers.ts';
import { canPass, type OperatorReason } from '../../domain/sending/send-command.ts';
import { SENDABLE } from '../../domain/sending/reduce.ts';
import type { OperatorAnswer } from '../../domain/sending/send-record.ts';
import type { ChunkFacts, Decision } from '../chunk-writes/write.ts';
import { settledByAnswer } from '../restore/restores.ts';
import { NO_ATTENTION, NOTHING } from './attempts.ts';
import { answerOf } from './send-records.ts';

/** A question to a person, and the decision from which it follows. */
type OperatorQuestion = Readonly<{
  attempts: number;
  from: ChunkState;
  reason: string;
  sinceMs: number;
}>;

/** Calls for a person; false when the chunk was sent since the decision, has another state than `from`, or is at an end. */
export function askOperator(facts: ChunkFacts, question: OperatorQuestion): Decision<boolean> {
  const { state, differences_json: differences, final } = facts.row;
  const isOpen = SENDABLE.includes(state as ChunkState);
  const differs = state === 'CREATED' && (differences ?? '[]') !== '[]' && final === 0;
  const isSame = state === question.from && facts.attempts.length === question.attempts;
  if (!isSame || !(isOpen || differs)) return { result: false };
  const { reason, sinceMs } = question;
  const asked = { attention_reason: reason, attention_since_ms: sinceMs };
  return { result: true, changes: { row: { state: 'NEEDS_OPERATOR', ...asked } } };
}

/** Takes back a question that has lost its cause, while nothing was sent, found or answered. */
export function withdrawQuestion({ row, attempts }: ChunkFacts, known: number): Decision<boolean> {
  const { state, attention_reason: reason, mass_payout_id: payout, differences_json } = row;
  const isFound = payout !== null && differences_json !== null;
  const isLoose =
    state === 'NEEDS_OPERATOR' && canPass((reason ?? undefined) as OperatorReason | undefined);
  if (!isLoose || attempts.length !== known || isFound) return { result: false };
  return {
    result: true,
    changes: { row: { state: 'SENDING', ...NO_ATTENTION } },
    detail: { reason: reason ?? undefined },
  };
}

/** A chunk with an answer no longer waits, until it asks again. */
export function setAnswer({ row, restore }: ChunkFacts, answer: OperatorAnswer): Decision<void> {
  const { state, answer_json: given } = row;
  if (state === 'NEEDS_OPERATOR') {
    const settled = settledByAnswer(restore, { answer, state });
    const answer_json = JSON.stringify(answer);
    return {
      result: undefined,
      changes: { row: { state: 'SENDING', answer_json, ...settled } },
    };
  }
  // A restored store may lack the question.
  if (given === null && (state === 'PLANNED' || state === 'SENDING')) {
    const answer_json = JSON.stringify(unasked(answer));
    return { result: undefined, changes: { row: { state: 'SENDING', answer_json } } };
  }
  const { answer: before } = answerOf(given);
  if (before !== undefined && isSameAnswer(before, answer)) return NOTHING;
  throw new BursarError('CHUNK_NOT_WAITING', { batchId: row.batch_id, chunk: String(row.chunk) });
}

/** Drops the adoption of a mass payout that led to nothing. */
export function clearAdoption({ row }: ChunkFacts, massPayoutId: string): Decision<void> {
  const { answer } = answerOf(row.answer_json);
  if (answer?.kind !== 'adopt' || answer.massPayoutId !== massPayoutId) return NOTHING;
  return { result: undefined, changes: { row: { answer_json: null } } };
}

const isSameAnswer = (a: OperatorAnswer, b: OperatorAnswer): boolean =>
  a.kind === 'adopt' && b.kind === 'adopt' ? a.massPayoutId === b.massPayoutId : a.kind === b.kind;
