import { z } from 'zod';
import { ROWS_MAX } from '../../ingest/limits.ts';
import * as resolving from '../../operations/acts/resolve.ts';
import * as resuming from '../../operations/acts/resume.ts';
import * as stopping from '../../operations/acts/stop.ts';
import { batchId, reasonFor } from '../inputs.ts';
import { operation } from '../operation.ts';
import { approval, approvalGap, question } from '../results/approval.ts';
import { workerSilence } from '../results/batch.ts';
import { hold } from '../results/hold.ts';

const reason = reasonFor('the report shows it');

const act = z.strictObject({ batchId, reason });

/** Who did something to a batch, and why. */
const acted = { batchId: z.string(), by: z.string(), reason: z.string() };

const stopResult = <Schema extends string>(
  schema: Schema,
): z.ZodType<stopping.StopResult<Schema>> =>
  z.object({
    schema: z.literal(schema),
    ...acted,
    notified: z.boolean(),
    worker: workerSilence.exactOptional(),
    temporal: z.object({ answers: z.literal(false), what: z.string() }).exactOptional(),
  });

export const cancelBatch = operation({
  name: 'cancelBatch',
  summary: 'Send nothing more of a batch; what was sent is settled and reported',
  role: 'operate',
  http: 'POST /v1/batches/:batchId/cancel',
  input: act,
  result: stopResult('bursar.cancel/v1'),
  run: stopping.cancelBatch,
});

export const pauseBatch = operation({
  name: 'pauseBatch',
  summary: 'Send nothing of a batch until it is resumed; what was sent is followed',
  role: 'operate',
  http: 'POST /v1/batches/:batchId/pause',
  input: act,
  result: stopResult('bursar.pause/v1'),
  run: stopping.pauseBatch,
});

const liftable: z.ZodType<resuming.LiftableHolds> = z.object({
  schema: z.literal('bursar.liftable-holds/v1'),
  batchId: z.string(),
  holds: z.array(z.object({ hold, question: question.nullable(), isChoice: z.boolean() })),
});

export const liftableHolds = operation({
  name: 'liftableHolds',
  summary: 'The open holds of a batch, each with the question that its signature answers',
  role: 'operate',
  http: 'POST /v1/batches/:batchId/liftable-holds',
  input: act,
  result: liftable,
  run: resuming.liftableHolds,
});

const resumed: z.ZodType<resuming.ResumeResult> = z.object({
  schema: z.literal('bursar.resume/v1'),
  ...acted,
  hold: hold.nullable(),
  missing: z.array(z.string()),
  stays: z.array(hold),
});

export const resumeBatch = operation({
  name: 'resumeBatch',
  summary: 'Lift one hold of a batch',
  role: 'operate',
  http: 'POST /v1/batches/:batchId/resume',
  input: z.strictObject({
    batchId,
    reason,
    hold: z.int().min(1).exactOptional(),
    approval: approval.exactOptional(),
  }),
  result: resumed,
  run: resuming.resumeBatch,
});

/** A chunk has a row at least. */
const chunk = z.int().min(0).max(ROWS_MAX);

const answered = { batchId, chunk, reason, approval: approval.exactOptional() };

/** Characters of an id of the service. */
const ID_LENGTH_MAX = 200;

const attempts = z.int().min(0).exactOptional();

const answer = z.discriminatedUnion('answer', [
  z.strictObject({
    ...answered,
    answer: z.literal('adopt'),
    massPayoutId: z.string().trim().min(1).max(ID_LENGTH_MAX),
  }),
  z.strictObject({ ...answered, answer: z.literal('not-created'), attempts }),
  z.strictObject({ ...answered, answer: z.literal('abandon') }),
]);

const answerQuestionResult: z.ZodType<resolving.AnswerQuestion> = z.object({
  schema: z.literal('bursar.answer-question/v1'),
  batchId: z.string(),
  chunk: z.int(),
  question: question.nullable(),
  attempts,
});

export const answerQuestion = operation({
  name: 'answerQuestion',
  summary: 'The question that signatures of an answer for a chunk must name',
  role: 'operate',
  http: 'POST /v1/batches/:batchId/chunks/:chunk/question',
  input: answer,
  result: answerQuestionResult,
  run: resolving.answerQuestion,
});

const resolved = {
  schema: z.literal('bursar.resolve/v1'),
  ...acted,
  chunk: z.int(),
  missing: z.array(z.string()),
  gaps: z.array(approvalGap),
};

const resolveResult: z.ZodType<resolving.ResolveResult> = z.discriminatedUnion('answer', [
  z.object({ ...resolved, answer: z.literal('adopt'), massPayoutId: z.string() }),
  z.object({ ...resolved, answer: z.literal('not-created'), attempts }),
  z.object({ ...resolved, answer: z.literal('abandon') }),
]);

export const resolveChunk = operation({
  name: 'resolveChunk',
  summary: 'Answer for a chunk that needs an operator',
  role: 'operate',
  http: 'POST /v1/batches/:batchId/chunks/:chunk/answer',
  input: answer,
  result: resolveResult,
  run: resolving.resolveChunk,
});
