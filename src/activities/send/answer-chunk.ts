import type { SendDeps } from './types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Refused } from '../../contract/activities.ts';
import type { SendActivities } from '../../contract/sending.ts';
import type { Resolve, SignedActResult } from '../../contract/messages.ts';
import { type ChunkAnswer, questionOfAnswer } from '../../domain/approval/answer.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import type { Question } from '../../domain/approval/question.ts';
import { signerRefusal } from '../../domain/approval/check-approval.ts';
import { type SignedAct, signedAct } from '../../domain/approval/signed-act.ts';
import { standingOf } from '../../domain/approval/standing.ts';
import { BursarError, noteOf } from '../../domain/errors/bursar-error.ts';
import { isPossible } from '../../domain/sending/answers.ts';
import type { OperatorAnswer, SendRecord } from '../../domain/sending/send-record.ts';
import type { ChunkRef } from '../../store/sending/sends.ts';
import { refuseOther } from './adoptable.ts';
import { takeStatement } from '../shared/take-statement.ts';

const DONE: SignedActResult = { missing: [] };

/**
 * Takes the answer of a person for a chunk that waits for one. Under a policy a bare name is refused: `adopt` and
 * `abandon` need one person of the policy, `not-created` as many as the plan itself, since it can send the rows a
 * second time. Throws ANSWER_IMPOSSIBLE, ADOPT_DIFFERS, CHUNK_SENT_SINCE, CHUNK_NOT_WAITING.
 */
export async function answerChunk(
  deps: SendDeps,
  { batchId, answer }: Parameters<SendActivities['answerChunk']>[0],
): Promise<SignedActResult | Refused> {
  const { store } = deps;
  const { idempotencyKey } = await store.chunks.get(batchId, answer.chunk);
  const ref = { batchId, chunk: answer.chunk, idempotencyKey };
  const record = await store.sends.record(ref);
  await refuseUnfit(deps, { ref, record, answer });
  const batch = await store.batches.find(batchId);
  if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  const given = toChunkAnswer(ref, record, answer);
  const question = questionOfAnswer(batch, given);
  const taken =
    question === null
      ? byName(batch, answer)
      : await takeSignature(deps, { batch, question, answer });
  if (!('actor' in taken)) return taken;
  const { actor, reason } = taken;
  // Only the fields of the statement: a message can have more fields, with any words in them.
  const { idempotencyKey: _key, ...detail } = given;
  const stored = toAnswer(given, { record, isSigned: question !== null, atMs: deps.nowMs() });
  await store.sends.setAnswer(ref, stored, { actor, detail: { ...detail, reason } });
  return DONE;
}

type Fitting = Readonly<{ ref: ChunkRef; record: SendRecord; answer: Resolve }>;

/** Refuses an answer that cannot be right, or that is about another number of attempts. */
async function refuseUnfit(deps: SendDeps, { ref, record, answer }: Fitting): Promise<void> {
  const { batchId } = ref;
  const chunk = String(ref.chunk);
  if (!isPossible(record, answer.answer)) {
    throw new BursarError('ANSWER_IMPOSSIBLE', { batchId, chunk });
  }
  if (answer.answer === 'adopt') await refuseOther(deps, ref, answer.massPayoutId);
  const attempts = record.attempts.length;
  const meant = answer.answer === 'not-created' ? (answer.attempts ?? attempts) : attempts;
  if (meant === attempts) return;
  const numbers = { attempts: String(attempts), meant: String(meant) };
  throw new BursarError('CHUNK_SENT_SINCE', { batchId, chunk, ...numbers });
}

type Signing = Readonly<{ batch: BatchRecord; question: Question; answer: Resolve }>;

/** The act of a person who needs no signature. */
const byName = ({ rules }: BatchRecord, { by, reason }: Resolve): SignedAct => ({
  actor: unsignedActor(rules?.approval ?? null, by),
  reason,
});

/** Writes the signed statement down. Returns the act that people signed, who must still sign, or why the statement does not count. */
async function takeSignature(
  { store, nowMs }: SendDeps,
  { batch, question, answer }: Signing,
): Promise<SignedAct | SignedActResult | Refused> {
  const { approval: statement } = answer;
  if (statement === undefined) {
    const facts = { batchId: batch.batchId, chunk: String(answer.chunk) };
    return { kind: 'refused', error: noteOf('ANSWER_UNSIGNED', facts) };
  }
  if (answer.answer === 'not-created') {
    const error = await takeStatement(store, { statement, question, nowMs });
    if (error !== null) return { kind: 'refused', error };
    const given = await store.approvals.statements(batch.batchId);
    const { satisfied, missing, approvals } = standingOf(
      question,
      given.map(({ approval }) => approval),
      nowMs(),
    );
    return satisfied ? signedAct(approvals) : { missing };
  }
  const error = signerRefusal(statement, question, nowMs());
  if (error !== null) return { kind: 'refused', error };
  await store.approvals.add(statement, nowMs());
  return signedAct([statement]);
}

function toChunkAnswer(ref: ChunkRef, record: SendRecord, answer: Resolve): ChunkAnswer {
  const { chunk, idempotencyKey } = ref;
  const about = { chunk, idempotencyKey };
  switch (answer.answer) {
    case 'adopt':
      return { ...about, answer: 'adopt', massPayoutId: answer.massPayoutId };
    case 'not-created':
    case 'abandon':
      return { ...about, answer: answer.answer, attempts: record.attempts.length };
  }
}

type Answered = Readonly<{ record: SendRecord; isSigned: boolean; atMs: number }>;

function toAnswer(given: ChunkAnswer, { record, isSigned, atMs }: Answered): OperatorAnswer {
  if (given.answer === 'adopt') {
    return { kind: 'adopt', massPayoutId: given.massPayoutId, atMs };
  }
  if (given.answer === 'abandon') return { kind: 'abandon', atMs };
  const attempts = record.attempts.length;
  return { kind: 'not-created', attempts, ...(isSigned ? { about: attempts } : {}), atMs };
}
