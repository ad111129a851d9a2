import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { batchWorkflowId } from '../../src/contract/names.ts';

/** When a batch's workflow ran, and how long its stages took, waiting for the worker included. Milliseconds. */
export type WorkflowTimes = Readonly<{
  /** Unix time. */
  startMs: number;
  endMs: number;
  /** Reading the file into the store. */
  ingestMs: number;
  /** From the start of the first partition to the end of the last. */
  payMs: number;
  reportMs: number;
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
  const spanMs = (isStart: (event: HistoryEvent) => boolean, isEnd: typeof isStart): number => {
    const [start, end] = [events.find(isStart), events.findLast(isEnd)];
    if (start === undefined || end === undefined) {
      throw new Error(`the history of ${batchId} is not that of a batch that was paid`);
    }
    return tsToMs(end.eventTime) - tsToMs(start.eventTime);
  };
  const activityMs = (name: string): number => {
    const start = events.find((event) => activityOf(event) === name);
    return spanMs(
      (event) => event === start,
      ({ activityTaskCompletedEventAttributes: completed }) =>
        completed?.scheduledEventId?.toString() === start?.eventId?.toString(),
    );
  };
  return {
    startMs: tsToMs(events[0]?.eventTime),
    endMs: tsToMs(events.at(-1)?.eventTime),
    ingestMs: activityMs('ingestFile'),
    payMs: spanMs(
      (event) => isThere(event.startChildWorkflowExecutionInitiatedEventAttributes),
      (event) => isThere(event.childWorkflowExecutionCompletedEventAttributes),
    ),
    reportMs: activityMs('reportBatch'),
  };
}

const activityOf = ({ activityTaskScheduledEventAttributes: scheduled }: HistoryEvent) =>
  scheduled?.activityType?.name;

const isThere = (attributes: unknown): boolean => attributes !== null && attributes !== undefined;
