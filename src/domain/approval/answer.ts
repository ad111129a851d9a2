import type { ApprovedBatch, Question } from './question.ts';
import { questionOfBatch, subjectHash } from './question.ts';

/** An answer for one chunk that waits for a person. */
export type ChunkAnswer = Readonly<{ chunk: number; idempotencyKey: string }> &
  Readonly<
    | { answer: 'adopt'; massPayoutId: string }
    /** `attempts`: the number of attempts that the answer is about. */
    | { answer: 'not-created' | 'abandon'; attempts: number }
  >;

/**
 * The question that an answer must settle; null when the plan of the batch needs no approval. Example: `not-created`
 * for chunk 4 after 2 attempts is another subject than the same answer after 3 attempts.
 */
export function questionOfAnswer(batch: ApprovedBatch, given: ChunkAnswer): Question | null {
  const question = questionOfBatch(batch, null);
  if (question === null) return null;
  const { chunk, idempotencyKey, answer } = given;
  const parts = [question.subject, chunk, idempotencyKey, answer, detailOf(given)];
  return { ...question, subject: subjectHash('bursar-answer/v1', parts), consent: answer };
}

const detailOf = (given: ChunkAnswer): string | number =>
  given.answer === 'adopt' ? given.massPayoutId : given.attempts;
