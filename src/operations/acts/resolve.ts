import type { ApprovalGap } from '../../domain/approval/gaps.ts';
import type { Resolve } from '../../contract/messages.ts';
import type { Question } from '../../domain/approval/question.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { errorOfNote, isBursarError, noteOf } from '../../domain/errors/bursar-error.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { missingFor, questionOfResolve } from '../approval/answer-question.ts';
import { refuseUnsigned, unsignedAct } from '../approval/submitter.ts';
import { actorOf } from '../batch/actor.ts';
import { findRecord } from '../batch/find-record.ts';
import { recordRefusal } from '../batch/on-record.ts';
import { withSources } from '../batch/sources.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';

/**
 * An operator's answer for a chunk. `adopt`: the service has it, as `massPayoutId`. `not-created`: the service does not have it;
 * `attempts`: how many attempts the person has read. `abandon`: its rows stay unknown.
 */
export type ChunkDecision =
  | Readonly<{ answer: 'adopt'; massPayoutId: string }>
  | Readonly<{ answer: 'not-created'; attempts?: number }>
  | Readonly<{ answer: 'abandon' }>;

/** `chunk`: its number. `reason`: 1 to 500 characters. `approval`: a signed statement of the answer. */
export type ResolveChoices = ChunkDecision &
  Readonly<{ batchId: string; chunk: number; reason: string; approval?: Approval }>;

/** The question that signatures of an answer must name; null: none is needed. */
export type AnswerQuestion = Readonly<{
  schema: 'bursar.answer-question/v1';
  batchId: string;
  chunk: number;
  question: Question | null;
  /** The number of attempts that the question is about. */
  attempts?: number;
}>;

export type ResolveResult = ChunkDecision &
  Readonly<{
    schema: 'bursar.resolve/v1';
    batchId: string;
    by: string;
    reason: string;
    chunk: number;
    /** Who must still sign, in sentences; empty: the answer counts. */
    missing: readonly string[];
    /** The same, as counts and names. */
    gaps: readonly ApprovalGap[];
  }>;

/** The question that an answer for a chunk must settle. */
export const answerQuestion = (
  choices: ResolveChoices,
  context: OperationContext,
): Promise<AnswerQuestion> =>
  withSources(context, async (sources) => {
    const { batchId, chunk } = choices;
    const record = await findRecord(sources, batchId);
    const answer = answerOf(choices, actorOf(sources.settings, context));
    const asked = await questionOfResolve(answer, { record, sources });
    return { schema: 'bursar.answer-question/v1', batchId, chunk, question: null, ...asked };
  });

/**
 * Answers for a chunk that waits for an operator. @throws APPROVAL_UNSIGNED where the policy of the plan counts signatures and there
 * is none, TOKEN_APPROVES_NOTHING, and the refusal of the batch.
 */
export const resolveChunk = (
  choices: ResolveChoices,
  context: OperationContext,
): Promise<ResolveResult> =>
  withSources(context, async (sources) => {
    const { batchId } = choices;
    const record = await findRecord(sources, batchId);
    const answer = await signedOnRecord(choices, { record, sources }, context);
    const refusal =
      record.endState === null
        ? await (await sources.engine()).resolve(record, answer)
        : noteOf('BATCH_ENDED', { batchId, state: record.endState });
    if (refusal !== null) {
      const { by: _by, approval: _approval, ...detail } = answer;
      await recordRefusal({ action: 'resolve', batchId, detail }, refusal, { sources, context });
      throw errorOfNote(refusal);
    }
    const signatures = await missingFor(answer, { record, sources }, context.clock);
    const { approval: _signed, ...shown } = answer;
    return { schema: 'bursar.resolve/v1', batchId, ...shown, ...signatures };
  });

/** The answer. One whose signature is missing does not reach the batch, and is in the audit log too. */
async function signedOnRecord(
  choices: ResolveChoices,
  { record, sources }: Readonly<{ record: BatchRecord; sources: Sources }>,
  context: OperationContext,
): Promise<Resolve> {
  try {
    return await signedAnswer(choices, { record, sources }, context);
  } catch (error) {
    if (isBursarError(error) && error.code === 'TOKEN_APPROVES_NOTHING') {
      const { batchId, approval: _approval, ...detail } = choices;
      await recordRefusal({ action: 'resolve', batchId, detail }, error, { sources, context });
    }
    throw error;
  }
}

const answerOf = (
  { batchId: _batchId, approval: _approval, ...answer }: ResolveChoices,
  actor: string,
): Resolve => ({ ...answer, by: actor });

/**
 * The answer, with its statement where one is needed. Then it is in the name of who signed: the batch verifies the signature.
 * Without a key the answer gets an unsigned statement, if one counts.
 */
async function signedAnswer(
  choices: ResolveChoices,
  { record, sources }: Readonly<{ record: BatchRecord; sources: Sources }>,
  context: OperationContext,
): Promise<Resolve> {
  const { approval } = choices;
  if (approval !== undefined) refuseUnsigned(approval, context);
  const answer = answerOf(choices, actorOf(sources.settings, context));
  const asked = await questionOfResolve(answer, { record, sources });
  if (asked === undefined) return answer;
  const { by: person, reason } = answer;
  if (approval !== undefined) {
    // A signed answer names its attempts already.
    return { ...answer, by: approval.signature === null ? person : approval.person, approval };
  }
  const { question, ...attempts } = asked;
  const { clock, overHttp } = context;
  const act = { person, reason, nowMs: clock.nowMs(), ...(overHttp && { overHttp }) };
  return { ...answer, ...attempts, approval: unsignedAct(question, act) };
}
