import { activityInfo, log } from '@temporalio/activity';
import { codeText } from '../../domain/errors/code-text.ts';
import type { AttemptOutcome, Lookup } from '../../domain/sending/send-record.ts';
import {
  activitySpanId,
  createSpanId,
  type RecordSpan,
  traceIdOf,
} from '../../domain/tracing/span.ts';

/** The chunk of a create or a lookup. */
type OfChunk = Readonly<{ batchId: string; chunk: number }>;

/** Codes of an answer, as the service wrote them. */
type AnswerCodes = Readonly<{ httpStatus?: number; errorCode?: string; traceId?: string }>;

/** A create that has ended: its attempt, its outcome and its times in milliseconds. */
export type EndedCreate = AnswerCodes &
  Readonly<{ n: number; outcome: AttemptOutcome; startedMs: number; tookMs: number }>;

/** A lookup that has ended. */
export type EndedLookup = AnswerCodes & Readonly<{ result: Lookup['result'] }>;

/** Is called with the end of each create and of each lookup. */
export type SendObserver = Readonly<{
  create(of: OfChunk, create: EndedCreate): void;
  lookup(of: OfChunk, lookup: EndedLookup): void;
}>;

/** Counts creates by their outcome, and lookups by their result. */
export type SendMeter = Readonly<{
  create(outcome: AttemptOutcome, tookMs: number): void;
  lookup(result: Lookup['result']): void;
}>;

export type ObservedBy = Readonly<{
  meter?: SendMeter | undefined;
  record?: RecordSpan | undefined;
}>;

/** Logs each create and each lookup of an activity, counts it, and records the spans of creates. */
export const observeSends = ({ meter, record }: ObservedBy): SendObserver => ({
  create(of, ended) {
    const { outcome, n, tookMs } = ended;
    meter?.create(outcome, tookMs);
    const facts = { chunk: of.chunk, n, outcome, ...codesOf(ended) };
    if (outcome === 'ACCEPTED') log.debug('a create was accepted', facts);
    else log.warn('a create was not accepted', facts);
    if (record !== undefined) recordCreate(record, of, ended);
  },

  lookup({ chunk }, ended) {
    const { result } = ended;
    meter?.lookup(result);
    const facts = { chunk, result, ...codesOf(ended) };
    if (result === 'failed') log.warn('a lookup failed', facts);
    else log.debug('a key was looked up', facts);
  },
});

/** The service can write any text where a code is to stand. */
const codesOf = ({ httpStatus, errorCode, traceId }: AnswerCodes): AnswerCodes => ({
  ...(httpStatus !== undefined && { httpStatus }),
  ...(errorCode !== undefined && { errorCode: codeText(errorCode) }),
  ...(traceId !== undefined && { traceId: codeText(traceId) }),
});

function recordCreate(record: RecordSpan, of: OfChunk, ended: EndedCreate): void {
  const { batchId, chunk } = of;
  const { outcome, n, startedMs, tookMs } = ended;
  const { workflowExecution, ...info } = activityInfo();
  record({
    name: 'create',
    traceId: traceIdOf(batchId),
    spanId: createSpanId(of, n),
    ...(workflowExecution && { parentSpanId: activitySpanId({ ...info, ...workflowExecution }) }),
    startMs: startedMs,
    endMs: startedMs + tookMs,
    attributes: { batchId, chunk, n, outcome, ...codesOf(ended) },
    ...(outcome !== 'ACCEPTED' && { failure: outcome }),
  });
}
