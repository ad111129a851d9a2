import { sha256Hex } from '../sending/identity.ts';

/**
 * What a trace shows of one piece of work that has ended. It holds ids, numbers and codes, and never a row, an amount, a secret or a
 * text of the service or of a person.
 */
export type Span = Readonly<{
  name: string;
  traceId: string;
  spanId: string;
  /** Missing for the batch itself, which is the root of its trace. */
  parentSpanId?: string;
  /** Milliseconds since 1970. */
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, string | number>>;
  /** The code of the failure; missing where the work succeeded. */
  failure?: string;
}>;

/**
 * The code of a failure, for a span: its message can hold words of people and of the service. An application failure of
 * Temporal has it as its type, any other error as its name.
 */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  const type = error.name === 'ApplicationFailure' && 'type' in error ? error.type : undefined;
  return typeof type === 'string' && type !== '' ? type : error.name;
}

/** When work began and ended. */
type Times = Readonly<{ startMs: number; endMs: number; failure?: string }>;

/** Takes the span of work that has ended. It never throws, and nothing waits for it. */
export type RecordSpan = (span: Span) => void;

/** Digits of the ids of traces and of spans, as OpenTelemetry has them. */
const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/**
 * The trace of a batch. Each program derives its id from the id of the batch, so that no message carries it from one to the
 * next, and `printf BATCH | sha256sum` finds it.
 */
export const traceIdOf = (batchId: string): string => sha256Hex(batchId).slice(0, TRACE_DIGITS);

/** The span of a piece of work, derived from its name: other programs name it as their parent. */
const spanIdOf = (work: string): string => sha256Hex(work).slice(0, SPAN_DIGITS);

export const workflowSpanId = (workflowId: string): string => spanIdOf(workflowId);

/** An activity: its workflow run, its number within the run, and its try. */
export type ActivityOf = Readonly<{
  workflowId: string;
  runId: string;
  activityId: string;
  attempt: number;
}>;

export const activitySpanId = ({ workflowId, runId, activityId, attempt }: ActivityOf): string =>
  spanIdOf([workflowId, runId, activityId, attempt].join('/'));

/** The chunk that a create or a webhook is about. */
type OfChunk = Readonly<{ batchId: string; chunk: number }>;

/** `n`: the number of the attempt. */
export const createSpanId = ({ batchId, chunk }: OfChunk, n: number): string =>
  spanIdOf(`${batchId}/chunk ${chunk}/attempt ${n}`);

/** `seq`: the number of the webhook in the spool. */
export const webhookSpanId = ({ batchId, chunk }: OfChunk, seq: number): string =>
  spanIdOf(`${batchId}/chunk ${chunk}/webhook ${seq}`);

/** A workflow of a batch: `batch/ID`, or one of its parts, as `batch/ID/p0` and `batch/ID/aftercare`. */
const OF_BATCH = /^(batch\/([^/]+))(?:\/(?:p(\d+))?)?/;

export type BatchPart = Readonly<{
  batchId: string;
  /** The number of the partition; missing where the workflow is no partition. */
  partition?: number;
  /** The workflow of the batch; missing where the workflow is that itself. */
  parentWorkflowId?: string;
}>;

/** The batch that a workflow belongs to; undefined: none. */
export function partOfBatch(workflowId: string): BatchPart | undefined {
  const [, parentWorkflowId, batchId, partition] = OF_BATCH.exec(workflowId) ?? [];
  if (parentWorkflowId === undefined || batchId === undefined) return undefined;
  return {
    batchId,
    ...(partition !== undefined && { partition: Number(partition) }),
    ...(parentWorkflowId !== workflowId && { parentWorkflowId }),
  };
}

/** The span of a workflow that has ended. */
export function workflowSpan(
  { workflowId, workflowType }: Readonly<{ workflowId: string; workflowType: string }>,
  times: Times,
): Span | undefined {
  const part = partOfBatch(workflowId);
  if (part === undefined) return undefined;
  const { parentWorkflowId } = part;
  return {
    name: workflowType,
    traceId: traceIdOf(part.batchId),
    spanId: workflowSpanId(workflowId),
    ...(parentWorkflowId !== undefined && { parentSpanId: workflowSpanId(parentWorkflowId) }),
    ...times,
    attributes: partAttributes(part, workflowId),
  };
}

/** The span of an activity that has ended. */
export function activitySpan(
  activity: ActivityOf & Readonly<{ activityType: string }>,
  times: Times,
): Span | undefined {
  const { activityType, workflowId, attempt } = activity;
  const part = partOfBatch(workflowId);
  if (part === undefined) return undefined;
  return {
    name: activityType,
    traceId: traceIdOf(part.batchId),
    spanId: activitySpanId(activity),
    parentSpanId: workflowSpanId(workflowId),
    ...times,
    attributes: { ...partAttributes(part, workflowId), attempt },
  };
}

const partAttributes = (
  { batchId, partition }: BatchPart,
  workflowId: string,
): Span['attributes'] => ({
  batchId,
  workflowId,
  ...(partition !== undefined && { partition }),
});
