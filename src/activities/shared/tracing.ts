import { activityInfo } from '@temporalio/activity';
import type { RunSinks } from '../../contract/run-sinks.ts';
import {
  activitySpan,
  failureCode,
  type RecordSpan,
  workflowSpan,
} from '../../domain/tracing/span.ts';

type Execute<Call> = (call: Call) => Promise<unknown>;

/** The interceptor of a worker that records a span of each activity of a batch. */
export const traceActivities = (record: RecordSpan) => ({
  inbound: {
    async execute<Call>(call: Call, next: Execute<Call>): Promise<unknown> {
      const startMs = Date.now();
      try {
        const result = await next(call);
        end(record, { startMs, endMs: Date.now() });
        return result;
      } catch (error) {
        end(record, { startMs, endMs: Date.now(), failure: failureCode(error) });
        throw error;
      }
    },
  },
});

function end(record: RecordSpan, times: Parameters<typeof activitySpan>[1]): void {
  const { workflowExecution, ...info } = activityInfo();
  const span = workflowExecution && activitySpan({ ...info, ...workflowExecution }, times);
  if (span !== undefined) record(span);
}

/** The facts of a workflow that its sinks bring. */
type Run = Readonly<{ workflowId: string; workflowType: string; startTime: Date }>;

type SinkOf<Call extends (...args: never[]) => void> = Readonly<{
  fn(run: Run, ...args: Parameters<Call>): void;
  callDuringReplay: false;
}>;

/** The sinks of a worker. Without `record` they do nothing. */
export const runSinks = (
  record?: RecordSpan,
): { runs: { ended: SinkOf<RunSinks['runs']['ended']> } } => ({
  runs: {
    ended: {
      fn(run, failure) {
        const times = { startMs: run.startTime.getTime(), endMs: Date.now() };
        const span = workflowSpan(run, failure === null ? times : { ...times, failure });
        if (span !== undefined) record?.(span);
      },
      callDuringReplay: false,
    },
  },
});
