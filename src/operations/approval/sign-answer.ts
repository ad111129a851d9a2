import type { Sources } from '../batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Resolve } from '../../contract/messages.ts';
import { type ChunkAnswer, questionOfAnswer } from '../../domain/approval/answer.ts';
import type { Question } from '../../domain/approval/question.ts';
import { standingOf } from '../../domain/approval/standing.ts';
import type { OperationContext } from '../context.ts';
import { type ActingPerson, signAct } from './submitter.ts';

/** The batch that an answer is about, and the sources of it. */
type AnsweredBatch = Readonly<{
  record: BatchRecord;
  sources: Sources;
  context: OperationContext;
}>;

type Signing = AnsweredBatch & Readonly<{ person: ActingPerson }>;

/** Signs an answer where the policy of the plan counts signatures. Throws APPROVAL_UNSIGNED without a key. */
export async function signAnswer(answer: Resolve, signing: Signing): Promise<Resolve> {
  const { record, person, sources, context } = signing;
  const about = await chunkAnswer(answer, record, sources);
  const question = about === undefined ? null : questionOfAnswer(record, about);
  if (about === undefined || question === null) return answer;
  const attempts = about.answer === 'not-created' ? { attempts: about.attempts } : {};
  const { reason } = answer;
  const approval = signAct(person, question, { reason, nowMs: context.clock.nowMs() });
  return { ...answer, ...attempts, approval };
}

/** Who must still sign an answer, in sentences; empty once it counts. */
export async function missingFor(
  answer: Resolve,
  { record, sources, context: { clock } }: AnsweredBatch,
): Promise<readonly string[]> {
  const { approval } = answer;
  if (approval === undefined || answer.answer !== 'not-created') return [];
  const about = await chunkAnswer(answer, record, sources);
  const question: Question | null = about === undefined ? null : questionOfAnswer(record, about);
  if (question === null) return [];
  const given = await sources.store.approvals.statements(record.batchId);
  const statements = given.map((one) => one.approval);
  const { satisfied, missing } = standingOf(question, statements, clock.nowMs());
  return satisfied ? [] : missing;
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
