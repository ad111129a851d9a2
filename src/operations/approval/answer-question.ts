import type { ApprovalGap } from '../../domain/approval/gaps.ts';
import type { Resolve } from '../../contract/messages.ts';
import { type ChunkAnswer, questionOfAnswer } from '../../domain/approval/answer.ts';
import type { Question } from '../../domain/approval/question.ts';
import { standingOf } from '../../domain/approval/standing.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Sources } from '../batch/types.ts';
import type { Clock } from '../context.ts';

/** The batch that an answer is about. */
type AnsweredBatch = Readonly<{ record: BatchRecord; sources: Sources }>;

/**
 * The question that signatures of an answer must name, with the number of attempts that it is about. Undefined: no
 * signature is needed, or the worker refuses the chunk.
 */
export async function questionOfResolve(
  answer: Resolve,
  { record, sources }: AnsweredBatch,
): Promise<Readonly<{ question: Question; attempts?: number }> | undefined> {
  const about = await chunkAnswer(answer, record, sources);
  const question = about === undefined ? null : questionOfAnswer(record, about);
  if (about === undefined || question === null) return undefined;
  return about.answer === 'not-created' ? { question, attempts: about.attempts } : { question };
}

/** Missing signatures: in sentences, and as counts and names. */
type MissingAnswers = Readonly<{
  missing: readonly string[];
  gaps: readonly ApprovalGap[];
}>;

const NONE_MISSING: MissingAnswers = { missing: [], gaps: [] };

/** Who must still sign an answer; empty once it counts. */
export async function missingFor(
  answer: Resolve,
  batch: AnsweredBatch,
  { nowMs }: Clock,
): Promise<MissingAnswers> {
  if (answer.approval === undefined || answer.answer !== 'not-created') return NONE_MISSING;
  const asked = await questionOfResolve(answer, batch);
  if (asked === undefined) return NONE_MISSING;
  const given = await batch.sources.store.approvals.statements(batch.record.batchId);
  const statements = given.map((one) => one.approval);
  const { satisfied, missing, gaps } = standingOf(asked.question, statements, nowMs());
  return satisfied ? NONE_MISSING : { missing, gaps };
}

/** The answer with its chunk and its attempts; undefined for an unknown chunk, which the worker refuses. */
async function chunkAnswer(
  answer: Resolve,
  { batchId }: BatchRecord,
  { store }: Sources,
): Promise<ChunkAnswer | undefined> {
  const chunks = await store.chunks.list(batchId);
  const found = chunks.find(({ chunk }) => chunk === answer.chunk);
  if (found === undefined) return undefined;
  const { chunk, idempotencyKey } = found;
  if (answer.answer === 'adopt') {
    return { chunk, idempotencyKey, answer: 'adopt', massPayoutId: answer.massPayoutId };
  }
  const { attempts } = await store.sends.record({ batchId, chunk, idempotencyKey });
  const known = attempts.length;
  const about = answer.answer === 'not-created' ? (answer.attempts ?? known) : known;
  return { chunk, idempotencyKey, answer: answer.answer, attempts: about };
}
