import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { batchWorkflowId } from '../../src/contract/names.ts';

/** From one moment to another, in Unix milliseconds. */
export type Span = Readonly<{ startMs: number; endMs: number }>;

/** When a batch's workflow and its stages ran; the wait for the worker is included. */
export type WorkflowTimes = Readonly<{
  workflow: Span;
  /** Reading the file into the store. */
  ingest: Span;
  /** From the start of the first partition to the end of the last. */
  pay: Span;
  report: Span;
}>;

/** Reads the times of a batch that has ended from its history. */
export async function readWorkflowTimes(address: string, batchId: string): Promise<WorkflowTimes> {
  const connection = await Connection.connect({ address });
  try {
    const handle = new Client({ connection }).workflow.getHandle(batchWorkflowId(batchId));
    return timesOf(batchId, (await handle.fetchHistory()).events ?? []);
  } finally {
    await connection.close();
  }
}

type HistoryEvent = NonNullable<
  Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']
>[number];

function timesOf(batchId: string, events: readonly HistoryEvent[]): WorkflowTimes {
  const span = (isStart: (event: HistoryEvent) => boolean, isEnd: typeof isStart): Span => {
    const [start, end] = [events.find(isStart), events.findLast(isEnd)];
    if (start === undefined || end === undefined) {
      throw new Error(`the history of ${batchId} is not that of a batch that was paid`);
    }
    return { startMs: tsToMs(start.eventTime), endMs: tsToMs(end.eventTime) };
  };
  const activity = (name: string): Span => {
    const start = events.find((event) => activityOf(event) === name);
    return span(
      (event) => event === start,
      ({ activityTaskCompletedEventAttributes: completed }) =>
        completed?.scheduledEventId?.toString() === start?.eventId?.toString(),
    );
  };
  return {
    workflow: { startMs: tsToMs(events[0]?.eventTime), endMs: tsToMs(events.at(-1)?.eventTime) },
    ingest: activity('ingestFile'),
    pay: span(
      (event) => isThere(event.startChildWorkflowExecutionInitiatedEventAttributes),
      (event) => isThere(event.childWorkflowExecutionCompletedEventAttributes),
    ),
    report: activity('reportBatch'),
  };
}

const activityOf = ({ activityTaskScheduledEventAttributes: scheduled }: HistoryEvent) =>
  scheduled?.activityType?.name;

const isThere = (attributes: unknown): boolean => attributes !== null && attributes !== undefined;
